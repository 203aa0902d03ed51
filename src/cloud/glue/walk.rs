//! All tables of a catalog, page by page, several databases side by side; as much in memory as is under way.

use super::{Glue, Page};
use crate::domain::glue::{Database, Table};
use crate::domain::problem::Problem;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::VecDeque;

/// Databases that are listed side by side.
const ABREAST: usize = 8;

/// What a walk has come to.
#[derive(Debug)]
pub enum Step {
    /// Some databases. Whose tables are wanted is said by [`Walk::enter`].
    Databases(Result<Vec<Database>, Problem>),
    /// Some tables of a database. After an error no more of that database come.
    Tables {
        /// Its stored name.
        database: String,
        /// The tables.
        tables: Result<Vec<Table>, Problem>,
    },
}

enum Came {
    Databases(Result<Page<Database>, Problem>),
    Tables(String, Result<Page<Table>, Problem>),
}

/// A walk through a catalog. Dropping it stops what is under way.
pub struct Walk {
    glue: Glue,
    waiting: VecDeque<(String, Option<String>)>,
    underway: FuturesUnordered<BoxFuture<'static, Came>>,
}

impl Walk {
    /// A walk that goes nowhere yet.
    pub fn new(glue: Glue) -> Self {
        Self {
            glue,
            waiting: VecDeque::new(),
            underway: FuturesUnordered::new(),
        }
    }

    /// Goes through the databases, from a page on; `None`: from the first.
    pub fn through(&mut self, token: Option<String>) {
        let glue = self.glue.clone();
        let page = async move { Came::Databases(glue.databases_page(token).await) };
        self.underway.push(Box::pin(page));
    }

    /// Goes into a database, from a page on; `None`: from the first.
    pub fn enter(&mut self, database: String, token: Option<String>) {
        self.waiting.push_back((database, token));
    }

    /// What comes next, in the order in which AWS answers; `None` at the end.
    pub async fn next(&mut self) -> Option<Step> {
        while self.underway.len() < ABREAST {
            let Some((database, token)) = self.waiting.pop_front() else {
                break;
            };
            self.page(database, token);
        }
        Some(match self.underway.next().await? {
            Came::Databases(page) => Step::Databases(page.map(|page| {
                if page.next.is_some() {
                    self.through(page.next);
                }
                page.items
            })),
            Came::Tables(database, page) => {
                let tables = page.map(|page| {
                    if page.next.is_some() {
                        self.page(database.clone(), page.next);
                    }
                    page.items
                });
                Step::Tables { database, tables }
            }
        })
    }

    fn page(&self, database: String, token: Option<String>) {
        let glue = self.glue.clone();
        self.underway.push(Box::pin(async move {
            let page = glue.tables_page(&database, token).await;
            Came::Tables(database, page)
        }));
    }
}
