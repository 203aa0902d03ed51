//! `glueup packet`: a document about a catalog, for whoever has to allow it.

use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::domain::names::CatalogName;
use crate::domain::slug::file_slug;
use crate::packet::{self, Form};
use crate::session::Session;
use crate::stack::save;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// What `packet` takes.
#[derive(Debug, Clone, Args)]
pub struct PacketArgs {
    /// The catalog; its connection comes with it
    #[arg(value_name = "NAME")]
    pub name: CatalogName,
    /// Write it to this file, or into this directory; a name that ends in .html asks for a page
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// A page to be read in a browser or printed, instead of Markdown
    #[arg(long)]
    pub html: bool,
}

/// Writes the document to stdout, or to a file that is not there yet.
///
/// # Errors
/// As the packet room; when another file is in the way.
pub fn run(front: &mut Front, session: &Session, args: PacketArgs) -> Result<u8, Stop> {
    let form = if args.html || args.out.as_deref().is_some_and(is_page) {
        Form::Html
    } else {
        Form::Markdown
    };
    let text = packet::of(session, &args.name, form)?;
    let Some(out) = args.out else {
        if front.is_json() {
            front.json(&json!({ "name": args.name, "format": word(form), "text": text }))?;
        } else {
            front.bytes(text.as_bytes())?;
        }
        return Ok(0);
    };
    let path = if out.is_dir() {
        let end = match form {
            Form::Markdown => "md",
            Form::Html => "html",
        };
        out.join(format!("packet-{}.{end}", file_slug(args.name.as_str())))
    } else {
        out
    };
    save::file(&path, &text)?;
    let path = path.display().to_string();
    if front.is_json() {
        front.json(&json!({ "name": args.name, "format": word(form), "saved": path }))?;
    } else {
        front.line(&path)?;
    }
    Ok(0)
}

fn is_page(path: &Path) -> bool {
    let end = path.extension().map(|end| end.to_ascii_lowercase());
    end.is_some_and(|end| end == "html" || end == "htm")
}

fn word(form: Form) -> &'static str {
    match form {
        Form::Markdown => "markdown",
        Form::Html => "html",
    }
}
