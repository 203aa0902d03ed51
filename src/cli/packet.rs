//! `glueup packet`: a document about a catalog or a storage integration, for whoever has to allow it.

use crate::cli::front::Front;
use crate::cli::named;
use crate::cli::output::Stop;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::slug::file_slug;
use crate::packet::{self, Form};
use crate::registry::{GrantKind, Holder};
use crate::session::Session;
use crate::stack::save;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// What `packet` takes.
#[derive(Debug, Clone, Args)]
pub struct PacketArgs {
    /// The catalog, or the storage integration; its connection comes with it
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The storage integration of that name, where a catalog has it too
    #[arg(long)]
    pub storage: bool,
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
/// As the packet room; for a file whose name says that it is something else; when another file is in the way.
pub fn run(front: &mut Front, session: &Session, args: PacketArgs) -> Result<u8, Stop> {
    let form = form(&args)?;
    let only = args.storage.then_some(GrantKind::Storage);
    let holder = named::holder(front, session, &args.name, only, |other| {
        format!("glueup packet {}", operand(other.name(), "--storage"))
    })?;
    let text = packet::of(session, &holder, form)?;
    let (name, of) = (holder.name(), holder.verb());
    let Some(out) = args.out else {
        if front.is_json() {
            front.json(&json!({ "name": name, "of": of, "format": word(form), "text": text }))?;
        } else {
            front.bytes(text.as_bytes())?;
        }
        return Ok(0);
    };
    let path = if out.is_dir() {
        out.join(file_name(&holder, form))
    } else {
        out
    };
    save::file(&path, &text)?;
    let path = path.display().to_string();
    if front.is_json() {
        front.json(&json!({ "name": name, "of": of, "format": word(form), "saved": path }))?;
    } else {
        front.line(&path)?;
    }
    Ok(0)
}

/// The name of the file in a directory: that of a storage integration says so.
fn file_name(holder: &Holder, form: Form) -> String {
    let of = match holder.kind() {
        GrantKind::Catalog => "",
        GrantKind::Storage => "storage-",
    };
    let end = match form {
        Form::Markdown => "md",
        Form::Html => "html",
    };
    format!("packet-{of}{}.{end}", file_slug(holder.name()))
}

/// The form that is asked for by the flag, or by the name of the file.
fn form(args: &PacketArgs) -> Result<Form, Problem> {
    let by_flag = if args.html { Form::Html } else { Form::Markdown };
    let Some(out) = args.out.as_deref().filter(|out| !out.is_dir()) else {
        return Ok(by_flag);
    };
    let end = out.extension().map(|end| end.to_ascii_lowercase());
    match end.as_ref().map(|end| end.to_str().unwrap_or_default()) {
        Some("html" | "htm") => Ok(Form::Html),
        Some("md" | "markdown") if args.html => Err(not_that(out, "--html asks for a page")),
        None | Some("md" | "markdown" | "txt") => Ok(by_flag),
        Some(_) => Err(not_that(out, "a packet is Markdown, or a page")),
    }
}

fn not_that(out: &Path, why: &str) -> Problem {
    Problem::new(
        Kind::Usage,
        format!("{} would not be what its name says", out.display()),
        why,
        format!(
            "name {} or {}; a page can be printed to PDF in a browser",
            out.with_extension("md").display(),
            out.with_extension("html").display()
        ),
    )
}

fn word(form: Form) -> &'static str {
    match form {
        Form::Markdown => "markdown",
        Form::Html => "html",
    }
}
