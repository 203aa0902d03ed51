//! Joins the operations to the trait of `s3s`.

use super::{buckets, gate, listing, multipart, objects};
use crate::demo::world::World;
use crate::policy::Context;
use s3s::dto::{
    AbortMultipartUploadInput, AbortMultipartUploadOutput, CompleteMultipartUploadInput,
    CompleteMultipartUploadOutput, CopyObjectInput, CopyObjectOutput, CreateBucketInput, CreateBucketOutput,
    CreateMultipartUploadInput, CreateMultipartUploadOutput, DeleteBucketInput, DeleteBucketOutput,
    DeleteBucketPolicyInput, DeleteBucketPolicyOutput, DeleteObjectInput, DeleteObjectOutput,
    DeleteObjectsInput, DeleteObjectsOutput, GetBucketEncryptionInput, GetBucketEncryptionOutput,
    GetBucketLocationInput, GetBucketLocationOutput, GetBucketPolicyInput, GetBucketPolicyOutput,
    GetObjectInput, GetObjectOutput, HeadBucketInput, HeadBucketOutput, HeadObjectInput, HeadObjectOutput,
    ListBucketsInput, ListBucketsOutput, ListMultipartUploadsInput, ListMultipartUploadsOutput,
    ListObjectsInput, ListObjectsOutput, ListObjectsV2Input, ListObjectsV2Output, ListPartsInput,
    ListPartsOutput, PutBucketEncryptionInput, PutBucketEncryptionOutput, PutBucketPolicyInput,
    PutBucketPolicyOutput, PutObjectInput, PutObjectOutput, UploadPartInput, UploadPartOutput,
};
use s3s::{S3, S3Request, S3Response, S3Result};
use std::sync::Arc;

/// Every operation that is served; `s3s` answers NotImplemented to the others, after the gate has refused them.
pub struct Backend(Arc<World>);

impl Backend {
    /// The backend of a world.
    pub fn new(world: Arc<World>) -> Self {
        Self(world)
    }
}

type Answer<T> = S3Result<S3Response<T>>;

#[async_trait::async_trait]
impl S3 for Backend {
    async fn head_bucket(&self, req: S3Request<HeadBucketInput>) -> Answer<HeadBucketOutput> {
        buckets::head(&self.0.s3, &req.input.bucket).map(S3Response::new)
    }

    async fn get_bucket_location(
        &self,
        req: S3Request<GetBucketLocationInput>,
    ) -> Answer<GetBucketLocationOutput> {
        buckets::location(&self.0.s3, &req.input.bucket).map(S3Response::new)
    }

    async fn create_bucket(&self, req: S3Request<CreateBucketInput>) -> Answer<CreateBucketOutput> {
        let caller = gate::caller(&req)?;
        buckets::create(&self.0.s3, req.input, &caller, self.0.now()).map(S3Response::new)
    }

    async fn delete_bucket(&self, req: S3Request<DeleteBucketInput>) -> Answer<DeleteBucketOutput> {
        buckets::delete(&self.0.s3, &req.input.bucket)?;
        Ok(S3Response::new(DeleteBucketOutput::default()))
    }

    async fn list_buckets(&self, req: S3Request<ListBucketsInput>) -> Answer<ListBucketsOutput> {
        Ok(S3Response::new(buckets::list(&self.0.s3, &gate::caller(&req)?)))
    }

    async fn get_bucket_policy(&self, req: S3Request<GetBucketPolicyInput>) -> Answer<GetBucketPolicyOutput> {
        buckets::policy(&self.0.s3, &req.input.bucket).map(S3Response::new)
    }

    async fn put_bucket_policy(&self, req: S3Request<PutBucketPolicyInput>) -> Answer<PutBucketPolicyOutput> {
        buckets::put_policy(&self.0.s3, &req.input.bucket, &req.input.policy)?;
        Ok(S3Response::new(PutBucketPolicyOutput::default()))
    }

    async fn delete_bucket_policy(
        &self,
        req: S3Request<DeleteBucketPolicyInput>,
    ) -> Answer<DeleteBucketPolicyOutput> {
        self.0.s3.lock().set_policy(&req.input.bucket, None)?;
        Ok(S3Response::new(DeleteBucketPolicyOutput::default()))
    }

    async fn get_bucket_encryption(
        &self,
        req: S3Request<GetBucketEncryptionInput>,
    ) -> Answer<GetBucketEncryptionOutput> {
        buckets::encryption(&self.0.s3, &req.input.bucket).map(S3Response::new)
    }

    async fn put_bucket_encryption(
        &self,
        req: S3Request<PutBucketEncryptionInput>,
    ) -> Answer<PutBucketEncryptionOutput> {
        buckets::put_encryption(&self.0.s3, req.input)?;
        Ok(S3Response::new(PutBucketEncryptionOutput::default()))
    }

    async fn get_object(&self, req: S3Request<GetObjectInput>) -> Answer<GetObjectOutput> {
        objects::get(&self.0.s3, req.input).await.map(S3Response::new)
    }

    async fn head_object(&self, req: S3Request<HeadObjectInput>) -> Answer<HeadObjectOutput> {
        objects::head(&self.0.s3, req.input).map(S3Response::new)
    }

    async fn put_object(&self, req: S3Request<PutObjectInput>) -> Answer<PutObjectOutput> {
        objects::put(&self.0.s3, req, self.0.now())
            .await
            .map(S3Response::new)
    }

    async fn copy_object(&self, req: S3Request<CopyObjectInput>) -> Answer<CopyObjectOutput> {
        objects::copy(&self.0.s3, req.input, self.0.now())
            .await
            .map(S3Response::new)
    }

    async fn delete_object(&self, req: S3Request<DeleteObjectInput>) -> Answer<DeleteObjectOutput> {
        self.0.s3.lock().delete(&req.input.bucket, &req.input.key)?;
        Ok(S3Response::new(DeleteObjectOutput::default()))
    }

    async fn delete_objects(&self, req: S3Request<DeleteObjectsInput>) -> Answer<DeleteObjectsOutput> {
        let caller = gate::caller(&req)?;
        let bucket = req.input.bucket;
        let quiet = req.input.delete.quiet.unwrap_or_default();
        let keys = req
            .input
            .delete
            .objects
            .into_iter()
            .map(|object| object.key)
            .collect();
        let allowed =
            |key: &str| gate::authorize(&self.0, &caller, "s3:DeleteObject", &bucket, key, &Context::new());
        let answer = objects::delete_many(&self.0.s3, &bucket, keys, quiet, allowed);
        Ok(S3Response::new(answer))
    }

    async fn list_objects(&self, req: S3Request<ListObjectsInput>) -> Answer<ListObjectsOutput> {
        let index = self.0.s3.lock();
        listing::list_v1(index.bucket(&req.input.bucket)?, req.input.clone()).map(S3Response::new)
    }

    async fn list_objects_v2(&self, req: S3Request<ListObjectsV2Input>) -> Answer<ListObjectsV2Output> {
        let index = self.0.s3.lock();
        listing::list_v2(index.bucket(&req.input.bucket)?, req.input.clone()).map(S3Response::new)
    }

    async fn create_multipart_upload(
        &self,
        req: S3Request<CreateMultipartUploadInput>,
    ) -> Answer<CreateMultipartUploadOutput> {
        multipart::create(&self.0.s3, req.input, self.0.now()).map(S3Response::new)
    }

    async fn upload_part(&self, req: S3Request<UploadPartInput>) -> Answer<UploadPartOutput> {
        multipart::put_part(&self.0.s3, req, self.0.now())
            .await
            .map(S3Response::new)
    }

    async fn complete_multipart_upload(
        &self,
        req: S3Request<CompleteMultipartUploadInput>,
    ) -> Answer<CompleteMultipartUploadOutput> {
        multipart::complete(&self.0.s3, req.input, self.0.now())
            .await
            .map(S3Response::new)
    }

    async fn abort_multipart_upload(
        &self,
        req: S3Request<AbortMultipartUploadInput>,
    ) -> Answer<AbortMultipartUploadOutput> {
        multipart::abort(&self.0.s3, &req.input)?;
        Ok(S3Response::new(AbortMultipartUploadOutput::default()))
    }

    async fn list_parts(&self, req: S3Request<ListPartsInput>) -> Answer<ListPartsOutput> {
        multipart::list_parts(&self.0.s3, req.input).map(S3Response::new)
    }

    async fn list_multipart_uploads(
        &self,
        req: S3Request<ListMultipartUploadsInput>,
    ) -> Answer<ListMultipartUploadsOutput> {
        multipart::list_uploads(&self.0.s3, req.input).map(S3Response::new)
    }
}
