//! Step 1 of the wizard: what has been typed about a catalog or a storage integration, and what is known about it.

use crate::domain::access::Access;
use crate::domain::arn::KmsKeyArn;
use crate::domain::invalid::Invalid;
use crate::domain::region::Region;
use crate::domain::s3_path::{AccessPointArn, S3Path};
use crate::registry::{GrantKind, Holder};
use crate::stack::Advice;
use crate::tui::field::Field;
use crate::tui::model::Remote;

/// The field that has the keys in Details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "named like the fields")]
pub enum DetailsFocus {
    #[default]
    Name,
    Region,
    S3Path,
    Access,
}

/// Step 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Details {
    /// What is connected.
    pub kind: GrantKind,
    /// Its name.
    pub name: Field,
    /// A catalog's region.
    pub region: Field,
    /// The bucket and prefix.
    pub s3_path: Field,
    /// Read-only or read-write.
    pub access: Access,
    /// The field that has the keys.
    pub focus: DetailsFocus,
    /// What the caller's own rights show, with what was asked about.
    pub advice: Remote<Advice>,
    /// What the advice is about.
    pub advised: Option<(Option<Region>, S3Path)>,
    /// Read-write on a whole bucket was confirmed by typing.
    pub wide_confirmed: bool,
}

impl Default for Details {
    fn default() -> Self {
        Self {
            kind: GrantKind::default(),
            name: Field::default(),
            region: Field::default(),
            s3_path: Field::default(),
            access: Access::ReadOnly,
            focus: DetailsFocus::default(),
            advice: Remote::Idle,
            advised: None,
            wide_confirmed: false,
        }
    }
}

impl Details {
    /// The fields, from top to bottom: what lies in S3 alone has no region of its own.
    pub fn fields(&self) -> &'static [DetailsFocus] {
        const ALL: [DetailsFocus; 4] = [
            DetailsFocus::Name,
            DetailsFocus::Region,
            DetailsFocus::S3Path,
            DetailsFocus::Access,
        ];
        const STORAGE: [DetailsFocus; 3] = [DetailsFocus::Name, DetailsFocus::S3Path, DetailsFocus::Access];
        match self.kind {
            GrantKind::Catalog => &ALL,
            GrantKind::Storage => &STORAGE,
        }
    }

    /// Who asks, as typed.
    ///
    /// # Errors
    /// When the name is none.
    pub fn holder(&self) -> Result<Holder, Invalid> {
        self.kind.named(self.name.text().trim())
    }

    /// The region as typed, for what has one.
    ///
    /// # Errors
    /// When it is none.
    pub fn own_region(&self) -> Result<Option<Region>, Invalid> {
        match self.kind {
            GrantKind::Catalog => self.region.parse().map(Some),
            GrantKind::Storage => Ok(None),
        }
    }

    /// The key that encrypts what lies below the path, where that was found.
    pub fn kms_key(&self) -> Option<&KmsKeyArn> {
        self.fitting_advice()?.kms_key.as_ref()
    }

    /// The key that encrypts the Data Catalog, where that was found.
    pub fn catalog_kms_key(&self) -> Option<&KmsKeyArn> {
        self.fitting_advice()?.catalog_kms_key.as_ref()
    }

    /// The access point that the path stands on, where it was found.
    pub fn access_point(&self) -> Option<&AccessPointArn> {
        self.fitting_advice()?.access_point.as_ref()
    }

    fn fitting_advice(&self) -> Option<&Advice> {
        self.advice.value().filter(|_| self.advice_fits())
    }

    /// The advice is about what the fields say now.
    pub fn advice_fits(&self) -> bool {
        self.advised.as_ref().is_some_and(|(region, path)| {
            self.own_region().as_ref() == Ok(region) && self.s3_path.parse().as_ref() == Ok(path)
        })
    }

    /// The field that has the keys, unless it is the access choice.
    pub fn focused(&mut self) -> Option<&mut Field> {
        match self.focus {
            DetailsFocus::Name => Some(&mut self.name),
            DetailsFocus::Region => Some(&mut self.region),
            DetailsFocus::S3Path => Some(&mut self.s3_path),
            DetailsFocus::Access => None,
        }
    }

    /// The first field that is not right.
    pub fn first_bad(&self) -> Option<DetailsFocus> {
        if self.holder().is_err() {
            Some(DetailsFocus::Name)
        } else if self.own_region().is_err() {
            Some(DetailsFocus::Region)
        } else if self.s3_path.parse::<S3Path>().is_err() {
            Some(DetailsFocus::S3Path)
        } else {
            None
        }
    }

    /// The regions that fit what has been typed, at most `most`; none when the text already is one.
    pub fn region_suggestions(&self, most: usize) -> Vec<&'static str> {
        let typed = self.region.text().trim().to_lowercase();
        if Region::all().iter().any(|region| region.id == typed) {
            return Vec::new();
        }
        Region::all()
            .iter()
            .filter(|region| region.id.contains(&typed) || region.label.to_lowercase().contains(&typed))
            .take(most)
            .map(|region| region.id)
            .collect()
    }
}
