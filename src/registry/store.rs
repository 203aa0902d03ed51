//! Listing, creating, changing and deleting records.

use std::{collections::BTreeSet, ops::Deref, path::PathBuf};

use super::{
    Catalog, Grant, Holder, Storage,
    home::Home,
    read::{self, Broken, Fingerprint},
    record::{Connection, Record},
    write,
};
use crate::domain::{
    names::{CatalogName, ConnectionName, StorageName},
    organization::Organization,
    problem::{Kind, Problem},
    text,
};

/// A record as it was read, with what is needed to write it back safely.
#[derive(Clone, Debug)]
pub struct Stored<T> {
    /// The record.
    pub record: T,
    /// Its file.
    pub file: PathBuf,
    seen: Fingerprint,
}

impl<T> Deref for Stored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.record
    }
}

/// All records of a kind, those that are broken apart.
#[derive(Clone, Debug)]
pub struct Listing<T> {
    /// Those that were read, by name as people sort names.
    pub records: Vec<Stored<T>>,
    /// Those that were not.
    pub broken: Vec<Broken>,
}

impl<T: Record> Listing<T> {
    /// The record of this name.
    pub fn named(&self, name: &str) -> Option<&Stored<T>> {
        self.records.iter().find(|stored| stored.name() == name)
    }
}

impl Home {
    /// All connections.
    ///
    /// # Errors
    /// When the folder cannot be read; a broken file is no error.
    pub fn connections(&self) -> Result<Listing<Connection>, Problem> {
        self.list()
    }

    /// All catalogs.
    ///
    /// # Errors
    /// As [`Home::connections`].
    pub fn catalogs(&self) -> Result<Listing<Catalog>, Problem> {
        self.list()
    }

    /// All storage integrations.
    ///
    /// # Errors
    /// As [`Home::connections`].
    pub fn storages(&self) -> Result<Listing<Storage>, Problem> {
        self.list()
    }

    /// The connection of this name.
    ///
    /// # Errors
    /// Not found (with the names that come near), or its file is broken.
    pub fn connection(&self, name: &ConnectionName) -> Result<Stored<Connection>, Problem> {
        self.find(name.as_str())
    }

    /// The catalog of this name.
    ///
    /// # Errors
    /// As [`Home::connection`].
    pub fn catalog(&self, name: &CatalogName) -> Result<Stored<Catalog>, Problem> {
        self.find(name.as_str())
    }

    /// The storage integration of this name.
    ///
    /// # Errors
    /// As [`Home::connection`].
    pub fn storage(&self, name: &StorageName) -> Result<Stored<Storage>, Problem> {
        self.find(name.as_str())
    }

    /// What is asked for of whom: all catalogs and storage integrations that can be read.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn grants(&self) -> Result<Vec<Grant>, Problem> {
        Ok(grants_in(&self.catalogs()?, &self.storages()?).collect())
    }

    /// What a holder asks for.
    ///
    /// # Errors
    /// As [`Home::connection`].
    pub fn grant(&self, holder: &Holder) -> Result<Grant, Problem> {
        Ok(match holder {
            Holder::Catalog(name) => Grant::from(&self.catalog(name)?.record),
            Holder::Storage(name) => Grant::from(&self.storage(name)?.record),
        })
    }

    /// The organization; `None` before `init`.
    ///
    /// # Errors
    /// When its file is broken.
    pub fn organization(&self) -> Result<Option<Stored<Organization>>, Problem> {
        let file = self.path(Organization::file_of(""));
        let read = read::file(&file).map_err(|broken| broken.problem)?;
        Ok(read.map(|(record, seen)| Stored { record, file, seen }))
    }

    /// What is bound to a connection: catalogs first.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn bound(&self, connection: &ConnectionName) -> Result<Vec<Holder>, Problem> {
        Ok(bound_in(&self.catalogs()?, &self.storages()?, connection))
    }

    /// Writes a new record.
    ///
    /// # Errors
    /// When its name or its stack name is taken, or the file cannot be written.
    pub fn create<T: Record>(&self, record: T) -> Result<Stored<T>, Problem> {
        let lock = write::lock(self)?;
        self.free_name::<T>(record.name())?;
        let file = self.path(T::file_of(record.name()));
        if file.exists() {
            return Err(Problem::new(
                Kind::Usage,
                format!("The file of a {} called {} is taken", T::NOUN, record.name()),
                format!("{} is there already, and holds something else", file.display()),
                "Choose another name, or mend or move that file",
            ));
        }
        if let Some(stack) = record.stack_name()
            && let Some(owner) = self.owner_of_stack(stack.as_str())?
        {
            return Err(Problem::new(
                Kind::Usage,
                format!("The stack name {stack} is taken"),
                format!("it belongs to the {owner}"),
                "Choose another name",
            ));
        }
        record.fits(self)?;
        let text = read::to_yaml(&record)?;
        lock.replace(&file, &text)?;
        Ok(Stored {
            record,
            file,
            seen: read::fingerprint(&text),
        })
    }

    /// Whether no record has this name yet.
    ///
    /// # Errors
    /// When one has; when the records cannot be listed.
    pub fn free_name<T: Record>(&self, name: &str) -> Result<(), Problem> {
        let file = match T::FOLDER {
            Some(_) => self.list::<T>()?.named(name).map(|stored| stored.file.clone()),
            None => Some(self.path(T::file_of(name))).filter(|file| file.exists()),
        };
        match file {
            None => Ok(()),
            Some(file) => Err(Problem::new(
                Kind::Usage,
                format!("There is a {} called {name} already", T::NOUN),
                format!("its record is {}", file.display()),
                "Choose another name, or change that one",
            )),
        }
    }

    /// Writes a changed record over the one that was read, and forgets the verdicts that no longer hold.
    ///
    /// # Errors
    /// When the file was changed or deleted since it was read; nothing is overwritten then.
    pub fn update<T: Record>(&self, stored: &Stored<T>, record: T) -> Result<Stored<T>, Problem> {
        if T::FOLDER.is_some() && record.name() != stored.name() {
            return Err(Problem::new(
                Kind::Usage,
                format!("The {} {} cannot be renamed", T::NOUN, stored.name()),
                "its stacks and its bindings carry the name",
                "Create another one, and delete this one",
            ));
        }
        let lock = write::lock(self)?;
        self.unchanged(stored)?;
        record.fits(self)?;
        // Before the record: a verdict too few is harmless, one that no longer holds is a lie.
        for subject in record.outdates(&stored.record, self)? {
            lock.remove(&self.verdict_file(&subject))?;
        }
        let text = read::to_yaml(&record)?;
        lock.replace(&stored.file, &text)?;
        Ok(Stored {
            record,
            file: stored.file.clone(),
            seen: read::fingerprint(&text),
        })
    }

    /// Deletes a record and what was noted about it. Its stack is not touched.
    ///
    /// # Errors
    /// When another record hangs on it (a catalog on its connection), when the file was changed since it was read,
    /// or cannot be deleted.
    pub fn delete<T: Record>(&self, stored: &Stored<T>) -> Result<(), Problem> {
        let lock = write::lock(self)?;
        self.unchanged(stored)?;
        stored.spared(self)?;
        lock.remove(&stored.file)?;
        match stored.subject() {
            Some(subject) => lock.remove(&self.verdict_file(&subject)),
            None => Ok(()),
        }
    }

    fn list<T: Record>(&self) -> Result<Listing<T>, Problem> {
        let mut listing = Listing {
            records: Vec::new(),
            broken: Vec::new(),
        };
        let folder = self.path(T::FOLDER.unwrap_or_default());
        let files =
            write::files_in(&folder, "yaml").map_err(|error| write::failed("read", &folder, &error))?;
        let mut names = BTreeSet::new();
        for file in files {
            match read::file::<T>(&file) {
                Ok(Some((record, seen))) if names.insert(record.name().to_owned()) => {
                    listing.records.push(Stored { record, file, seen });
                }
                Ok(Some((record, _))) => listing.broken.push(twice(&record, file)),
                // Deleted between the two reads.
                Ok(None) => {}
                Err(broken) => listing.broken.push(*broken),
            }
        }
        listing
            .records
            .sort_by_cached_key(|stored| text::order(stored.name()));
        Ok(listing)
    }

    fn find<T: Record>(&self, name: &str) -> Result<Stored<T>, Problem> {
        let mut listing = self.list::<T>()?;
        if let Some(at) = listing.records.iter().position(|stored| stored.name() == name) {
            return Ok(listing.records.swap_remove(at));
        }
        let file = self.path(T::file_of(name));
        if let Some(broken) = listing.broken.into_iter().find(|broken| broken.file == file) {
            return Err(broken.problem);
        }
        let names: Vec<_> = listing.records.iter().map(|stored| stored.name()).collect();
        Err(not_found(
            T::NOUN,
            name,
            &names,
            format!("See glueup {} list", T::NOUN),
        ))
    }

    fn owner_of_stack(&self, stack: &str) -> Result<Option<String>, Problem> {
        fn owner<T: Record>(listing: &Listing<T>, stack: &str) -> Option<String> {
            let mine = |stored: &&Stored<T>| stored.stack_name().is_some_and(|name| name.as_str() == stack);
            listing
                .records
                .iter()
                .find(mine)
                .map(|stored| format!("{} {}", T::NOUN, stored.name()))
        }
        Ok(owner(&self.connections()?, stack)
            .or(owner(&self.catalogs()?, stack))
            .or(owner(&self.storages()?, stack)))
    }

    fn unchanged<T: Record>(&self, stored: &Stored<T>) -> Result<(), Problem> {
        let now = write::read_if_there(&stored.file)
            .map_err(|error| write::failed("read", &stored.file, &error))?;
        let why = match now {
            Some(text) if read::fingerprint(&text) == stored.seen => return Ok(()),
            Some(_) => "it was changed on disk since it was read, and nothing was overwritten",
            None => "it was deleted since it was read",
        };
        Err(Problem::new(
            Kind::CheckFailed,
            format!(
                "The {} {} was not written ({})",
                T::NOUN,
                stored.name(),
                stored.file.display()
            ),
            why,
            "Read it again, then repeat the change",
        ))
    }
}

fn grants_in(catalogs: &Listing<Catalog>, storages: &Listing<Storage>) -> impl Iterator<Item = Grant> {
    let catalogs = catalogs.records.iter().map(|stored| Grant::from(&stored.record));
    let storages = storages.records.iter().map(|stored| Grant::from(&stored.record));
    catalogs.chain(storages)
}

/// What of two listings is bound to a connection.
pub(super) fn bound_in(
    catalogs: &Listing<Catalog>,
    storages: &Listing<Storage>,
    connection: &ConnectionName,
) -> Vec<Holder> {
    grants_in(catalogs, storages)
        .filter(|grant| grant.connection == *connection)
        .map(|grant| grant.holder)
        .collect()
}

fn twice<T: Record>(record: &T, file: PathBuf) -> Broken {
    let what = format!("The {} file {} is left out", T::NOUN, file.display());
    let why = format!("another file holds a {} called {} too", T::NOUN, record.name());
    let problem = Problem::new(
        Kind::CheckFailed,
        what,
        why,
        "Delete one of the two, or give one another name",
    );
    Broken {
        file,
        line: 1,
        column: 1,
        snippet: String::new(),
        problem,
    }
}

/// That there is no record of that name; `there` are the names that there are, and the nearest of them is told.
pub fn not_found(noun: &str, name: &str, there: &[&str], next: String) -> Problem {
    let why = match text::nearest(name, there.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None if there.is_empty() => format!("there is no {noun} yet"),
        None => format!("there are: {}", there.join(", ")),
    };
    Problem::new(
        Kind::NotFound,
        format!("There is no {noun} called {name}"),
        why,
        next,
    )
}
