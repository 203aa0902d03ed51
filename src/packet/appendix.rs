//! The templates, letter by letter.

use super::document::{Document, value, with, words};
use super::{Facts, Made};
use crate::stack::template::TemplateKind;

pub(super) fn write(facts: &Facts, made: &Made, to: &mut Document) {
    to.heading(2, "Appendix: the templates");
    to.say(words(if facts.adopted() {
        "What glueup would deploy where it makes the role itself; here they are only for comparison."
    } else {
        "Static files, the same for everybody; what differs is the parameters above. `glueup template save` writes them to \
         files, with the parameters beside them. The hash is of the file as it is below, with one line end at its end."
    }));
    for kind in [TemplateKind::Connection, made.access.kind] {
        to.heading(3, kind.file_name());
        to.say(with("SHA-256 {}", &[vec![value(kind.sha256())]]));
        to.code("yaml", kind.text());
    }
}
