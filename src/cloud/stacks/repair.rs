//! What CloudFormation offers for a stack that it could not bring to an end.

use super::Stacks;
use crate::domain::problem::Problem;

impl Stacks {
    /// Tries again to undo an update whose undoing has failed.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; only a stack in `UPDATE_ROLLBACK_FAILED` takes it.
    pub async fn continue_rollback(
        &self,
        name: &str,
        role_arn: Option<String>,
        token: Option<String>,
    ) -> Result<(), Problem> {
        self.client
            .continue_update_rollback()
            .stack_name(name)
            .set_role_arn(role_arn)
            .set_client_request_token(token)
            .send()
            .await
            .map(drop)
            .map_err(|error| self.problem("cloudformation:ContinueUpdateRollback", name, &error))
    }

    /// Takes back an update that has failed and was kept as it was then.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; only a stack in `UPDATE_FAILED` (or `CREATE_FAILED`) takes it.
    pub async fn roll_back(
        &self,
        name: &str,
        role_arn: Option<String>,
        token: Option<String>,
    ) -> Result<(), Problem> {
        self.client
            .rollback_stack()
            .stack_name(name)
            .set_role_arn(role_arn)
            .set_client_request_token(token)
            .send()
            .await
            .map(drop)
            .map_err(|error| self.problem("cloudformation:RollbackStack", name, &error))
    }

    /// Starts to delete a stack whose deletion has failed; the resources named in `keep`, by their names in the template,
    /// stay, and belong to no stack any more.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; only a stack in `DELETE_FAILED` takes it.
    pub async fn delete_but(
        &self,
        name: &str,
        keep: Vec<String>,
        role_arn: Option<String>,
    ) -> Result<(), Problem> {
        self.client
            .delete_stack()
            .stack_name(name)
            .set_retain_resources(Some(keep))
            .set_role_arn(role_arn)
            .send()
            .await
            .map(drop)
            .map_err(|error| self.problem("cloudformation:DeleteStack", name, &error))
    }
}
