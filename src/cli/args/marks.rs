//! Options for what tells a reader the encoding of a text: byte order marks and declarations.

use clap::Args;

use oxiconv_transcode::{MarkMode, OnDeclaration};

use super::word::{Word, one_of, word};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Convert")]
pub(crate) struct MarkArgs {
    /// Byte order marks: auto, keep, strip, add, forbid, require [default: auto]
    #[arg(long, value_name = "MODE", value_parser = one_of(MARKS))]
    pub(crate) bom: Option<MarkMode>,

    /// What to do with an encoding declaration that the conversion makes false: note, update, keep [default: note]
    ///
    /// A declaration names the encoding in the text itself: encoding= in XML, charset= in HTML, @charset in CSS, the coding
    /// cookies of Python, Ruby, Emacs and Vim, and the headers of PO files and mails. oxiconv searches the first 4 KiB.
    #[arg(long, value_name = "MODE", value_parser = one_of(DECLARATIONS))]
    pub(crate) declaration: Option<OnDeclaration>,
}

const MARKS: [Word<MarkMode>; 6] = [
    word("auto", MarkMode::Auto, "Follow each encoding's own rule"),
    word("keep", MarkMode::Keep, "Keep a mark at the start of the input"),
    word("strip", MarkMode::Strip, "Write no mark"),
    word("add", MarkMode::Add, "Write exactly one mark"),
    word("forbid", MarkMode::Forbid, "With --check, report files that begin with a mark"),
    word("require", MarkMode::Require, "With --check, report files that do not begin with a mark"),
];

const DECLARATIONS: [Word<OnDeclaration>; 3] = [
    word("note", OnDeclaration::Note, "Keep it and say so"),
    word("update", OnDeclaration::Update, "Name the output encoding in it, except in a mail"),
    word("keep", OnDeclaration::Keep, "Keep it"),
];
