//! What a text as a whole is: counts over all of its bytes, in one pass and bounded memory. The verdict is a guess of
//! the whole text, of each place, a repair, and the hint on the file.
//!
//! The result must not depend on how the bytes arrived. They are collected into blocks of a fixed size, and each block
//! is split after its last ASCII byte: no sequence, and no window of letters that a counter looks at, continues across
//! one. The bytes after the split are examined with the next block.

use super::causes::Causes;
use super::damaged::Damaged;
use super::escaped::EscapedBytes;
use super::form_counts::{FormCounts, WideForms};
use super::interruptions::{InterruptionCounts, WideTextSearch};
use super::neighbours::Neighbours;
use super::stray::StrayEncoding;
use super::superset::Supersets;
use super::wide_evidence::WideEvidence;
use super::{Cause, Guess, Hint};
use crate::{Repair, Substitute, counted};
use oxiconv_detect::detection::{Detection, Evidence, Recovery, StrayText};
use oxiconv_encodings::codec::{ByteOrder, LONGEST_FORM};
use oxiconv_encodings::encoding::{Encoding, Family};
use oxiconv_transcode::diagnostic::Finding;

/// Bytes per block.
const BLOCK: usize = 64 * 1024;
/// How far from the end of a block an ASCII byte is searched for: as many bytes as a window of non-ASCII text has. If
/// there is none, the block is split between two characters.
const CARRY: usize = 8 * 1024;

/// Examines a text as it is read.
#[derive(Default)]
pub struct TextJudge {
    block: Vec<u8>,
    /// The offset of the block in the text: the number of bytes that were examined or skipped.
    pub(super) offset: u64,
    /// The encoding that the text is read in; `None` until something was read.
    pub(super) encoding: Option<&'static Encoding>,
    pub(super) zeros: WideEvidence,
    pub(super) strays: StrayText,
    pub(super) counts: FormCounts,
    pub(super) neighbours: Neighbours,
    damaged: Damaged,
    interrupted: InterruptionCounts,
    /// The search for interruptions; `None` if the text is not in wide units, or if a part was skipped.
    searched: Option<WideTextSearch>,
    pub(super) supersets: Supersets,
    java: Option<JavaString>,
    /// Whether a part of the text was skipped.
    skipped: bool,
}

/// The head of a string in the format of Java's `DataOutput`: the length of the string in two bytes, big-endian. In an
/// object stream, the signature AC ED, the version 00 05 and the type 74 (a string) come before it.
///
/// ```text
/// 00 03 61 C0 80                   3 bytes follow: a, U+0000
/// AC ED 00 05 74 00 03 61 C0 80    the same in an object stream
/// ```
#[derive(Clone, Copy, Debug)]
struct JavaString {
    /// Lengths of the head and of the string.
    head: u64,
    len: u64,
    in_stream: bool,
}

impl TextJudge {
    /// Examines the next bytes of the text, which is read in `encoding`.
    pub fn look(&mut self, mut bytes: &[u8], encoding: &'static Encoding) {
        self.encoding = Some(encoding);
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.look_at_block(false);
            }
        }
    }

    /// Takes note of a finding.
    pub fn finding(&mut self, finding: &Finding<'_>) {
        self.damaged.count(finding);
        self.interrupted.count(finding);
    }

    /// Returns the number of bytes examined or skipped.
    pub fn text_len(&self) -> u64 {
        self.offset + self.block.len() as u64
    }

    /// Returns the encoding that the text is read in; `None` until something was read.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        self.encoding
    }

    /// Moves past a well-formed part of the text that is not examined. It begins and ends between two characters, so
    /// the block before it can be settled as if the text ended there.
    pub fn skip(&mut self, bytes: u64, characters: u64) {
        self.look_at_block(true);
        self.offset += bytes;
        self.strays.skip(bytes, bytes > characters);
        self.zeros.skip(bytes);
        self.supersets.skip();
        self.skipped = true;
        self.searched = None;
        if self.is_utf8() {
            self.counts.skip(bytes.saturating_sub(characters));
        }
    }

    /// Returns the detector's answer for a text that is read as UTF-8 and is ill-formed, as far as it was read. `end`
    /// says that this is the whole text.
    pub fn detection(&mut self, end: bool) -> Option<Detection> {
        self.look_at_block(end);
        self.answer(end).map(|(detection, _)| detection)
    }

    /// Returns the verdict on what was read so far; `end` says that this is the whole text.
    ///
    /// Guesses about the whole text come first, from those that the bytes prove to those that are inferred from
    /// letters: UTF-8, interrupted units, wide units, a superset, a Java string, lines in several encodings, a legacy
    /// encoding. Only if none applies are the ill-formed bytes explained one by one. The repair follows from whatever
    /// was found, so that it always belongs to the guess.
    ///
    /// If the bytes are explained one by one, one question remains: are those that look like parts of UTF-8 (truncated
    /// characters, surrogates) letters as well? They are (`all_bytes`) if the encoding of the stray bytes reads all of
    /// them, and either the counts allow it or the encoding has two bytes per character, which may look like anything.
    /// Only the surrogate pairs of CESU-8, if the detector recognizes them, are not letters in any case.
    pub fn verdict(&mut self, end: bool) -> Verdict {
        self.look_at_block(end);
        if let Some(searched) = self.searched.as_mut().filter(|_| end) {
            searched.look(b"", true);
        }
        let mut counts = self.counts.settled();
        let ill_formed = counts.ill_formed > 0;
        let answer = self.answer(end);
        let whole = self.utf8().or_else(|| self.interrupted()).or_else(|| self.wide());
        let whole = whole.or_else(|| self.superset(end)).or_else(|| self.java_string());
        let detection = answer.as_ref().map(|(detection, _)| detection);
        let lines = whole.is_none().then(|| self.lines(detection)).flatten();
        let (of_lines, lines) =
            lines.map_or((None, Vec::new()), |(guess, lines)| (Some(guess), lines));
        let (whole, table) = match whole.or(of_lines) {
            Some(whole) => (Some(whole), None),
            None => self
                .legacy(&counts, answer.as_ref())
                .map_or((None, None), |(guess, table)| (Some(guess), table)),
        };
        let stray = match table {
            _ if !self.is_utf8() || !ill_formed => None,
            // The whole text is something else, and its bytes are not characters by themselves.
            None if whole.is_some() => None,
            // If the whole text is in one single-byte encoding, so is every byte.
            Some(table) => Some(table),
            None => {
                let (stray, reads_all) = self.stray(&counts, answer.as_ref());
                // Two-byte characters may look like parts of anything. The detector knows whether some were cut off.
                let others = detection.and_then(|detection| detection.others);
                let has_pairs = others.is_some_and(|others| others.cut == 0)
                    && stray.as_ref().is_some_and(|stray| !stray.is_single());
                // The surrogate pairs of CESU-8 are not stray bytes.
                let is_relative =
                    detection.is_some_and(|it| it.evidence == Evidence::SurrogatePairs);
                counts.all_bytes =
                    reads_all && !is_relative && (has_pairs || counts.may_all_be_bytes());
                stray
            }
        };
        let note = (self.is_utf8() && !ill_formed).then(|| self.damaged.guess()).flatten();
        let escaped = EscapedBytes::of(detection, &counts).filter(|_| whole.is_none());
        let of_escaped = escaped.and_then(EscapedBytes::repair);
        let repair = match &whole {
            Some(whole) => whole.repair.clone(),
            None if of_escaped.is_some() => of_escaped,
            None if self.is_utf8() => Causes::of(&counts).repair(&counts, stray, self.zeros.any()),
            // Outside UTF-8, nothing is known about causes, so each fault is replaced.
            None => Some(replaced()),
        };
        let of_letters = answer.as_ref().and_then(|(detection, recovery)| match recovery {
            Recovery::Whole(encoding) => Some((*encoding, detection.confidence)),
            _ => None,
        });
        let of_utf8 = self.is_utf8();
        Verdict { whole, of_letters, lines, note, stray, escaped, counts, repair, of_utf8 }
    }

    /// Returns the encoding that all stray bytes fit, each next to the letters around it, and whether it reads all that
    /// is ill-formed.
    ///
    /// There are two witnesses. The detector has weighed all letters of the text, the neighbours are only the letters
    /// next to the bytes. If the detector names an encoding as the fallback, that settles it: every command reads the
    /// bytes in it, and a hint must not say otherwise. If it is less sure, the neighbours must agree.
    fn stray(
        &self,
        counts: &FormCounts,
        answer: Option<&(Detection, Recovery)>,
    ) -> (Option<StrayEncoding>, bool) {
        let bytes = counts.strays();
        let (detection, strays) = match answer {
            // A few bytes amid ASCII.
            Some((_, Recovery::Whole(encoding))) => {
                let stray = StrayEncoding::of(Some(StrayEncoding::new(encoding)), bytes, |stray| {
                    self.neighbours.allow(stray, bytes, counts)
                });
                return (stray, stray.is_some());
            }
            Some((detection, Recovery::Among(strays))) => (detection, strays),
            _ => return (None, false),
        };
        let is_named = detection.others.is_some_and(|others| others.fallback.is_some());
        let stray = StrayEncoding::new(strays.encoding);
        // A few bytes may be parts of characters of any multi-byte encoding, and isolated letters in any single-byte
        // one. So there must be enough of them, or letters next to them. windows-1252 needs neither: it is what stray
        // bytes are most often.
        let tells = counts.have_frequency()
            || stray.is_single() && self.neighbours.have_letters()
            || strays.encoding == Encoding::WINDOWS_1252;
        let judged = Some(stray).filter(|_| is_named || tells && strays.is_sure);
        let found = StrayEncoding::of(judged, bytes, |stray| {
            is_named || self.neighbours.allow(stray, bytes, counts)
        });
        (found, strays.reads_all && found.is_some())
    }

    /// Returns the detector's answer for a text that is read as UTF-8 and is ill-formed, and what reads it.
    pub(super) fn answer(&self, end: bool) -> Option<(Detection, Recovery)> {
        let asks = self.is_utf8() && self.counts.ill_formed > 0 && !self.zeros.are_of_no_text();
        asks.then(|| self.strays.judge(end)).flatten()
    }

    pub(super) fn is_utf8(&self) -> bool {
        self.family() == Some(Family::Utf8)
    }

    fn family(&self) -> Option<Family> {
        self.encoding.map(|encoding| encoding.family)
    }

    /// Examines the settled part of the block; at the end, all of it.
    pub(super) fn look_at_block(&mut self, end: bool) {
        let block = std::mem::take(&mut self.block);
        if self.offset == 0 {
            self.java = JavaString::at(&block);
        }
        // All counters see the same split: what is left for the next block is left by all of them.
        let done = if end { block.len() } else { self.settled(&block) };
        let (bytes, rest) = block.split_at(done);
        self.zeros.look(bytes);
        if self.offset == 0 {
            self.searched =
                self.units().and_then(|(units, mark_len)| WideTextSearch::of(units, mark_len));
        }
        if let Some(searched) = &mut self.searched {
            searched.look(bytes, false);
        }
        if let Some(encoding) = self.encoding {
            self.supersets.look(bytes, encoding);
        }
        self.look_for_forms(bytes, end);
        self.strays.look(bytes, self.counts.ill_formed > 0);
        self.offset += done as u64;
        self.block = rest.to_vec();
    }

    /// Returns how many bytes of a block are settled: up to the last ASCII byte, which ends every sequence. A text
    /// without ASCII near the end of a block, such as Chinese, is split before the last sequence instead, with
    /// [`LONGEST_FORM`] bytes left over as lookahead.
    fn settled(&self, block: &[u8]) -> usize {
        let from = block.len().saturating_sub(CARRY);
        match block[from..].iter().rposition(u8::is_ascii) {
            Some(last) => from + last + 1,
            None => {
                let end = block.len().saturating_sub(LONGEST_FORM);
                end - unfinished(&block[..end])
            }
        }
    }

    /// Counts `bytes`. As long as the text is well-formed, that is one pass of the standard library's validation; from
    /// the first fault on, sequences are classified one by one.
    fn look_for_forms(&mut self, bytes: &[u8], end: bool) {
        let mut start = 0;
        if self.counts.ill_formed == 0 {
            let text = match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => {
                    std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
                }
            };
            self.counts.look_at_text(text.as_bytes());
            start = text.len();
        }
        let strays = |run| self.neighbours.look(bytes, run);
        self.counts.look_at_rest(bytes, self.offset, start, end, strays);
    }

    /// Returns the encoding of the text's code units, and the length of its mark if that says so.
    fn units(&self) -> Option<(&'static Encoding, usize)> {
        // UCS-2 and UCS-4 are read in the byte order of their name, whatever mark they have.
        let of_mark = self.zeros.by_mark().filter(|_| !self.family().is_some_and(Family::is_ucs));
        let of_mark = of_mark.map(|(scheme, mark)| (scheme, mark.len()));
        of_mark.or(self.encoding.map(|encoding| (encoding, 0)))
    }

    /// Guesses that a text in wide units has other bytes in it. If it has a mark, it is in these units, whatever it is
    /// read in.
    pub(super) fn interrupted(&self) -> Option<Guess> {
        let (units, mark_len) = self.units()?;
        // An incomplete unit at the end of a text that is read in these units has a finding of its own, which says so.
        if !self.is_utf8() && self.searched.as_ref().is_some_and(WideTextSearch::is_whole) {
            return None;
        }
        let found = self.searched.as_ref().and_then(WideTextSearch::guess);
        // What the conversion found before it stopped.
        let of_findings = || self.interrupted.guess(units, mark_len);
        found.or_else(|| (self.encoding == Some(units)).then(of_findings).flatten())
    }

    /// Guesses that a text is in a superset of its encoding. `end` says that all of it was read.
    pub(super) fn superset(&self, end: bool) -> Option<Guess> {
        self.supersets.guess(self.encoding?, end)
    }

    pub(super) fn wide(&self) -> Option<Guess> {
        let (scheme, read_as, evidence) = match self.zeros.by_mark() {
            Some((scheme, mark)) => {
                let hex: Vec<String> = mark.iter().map(|byte| format!("{byte:02X}")).collect();
                let evidence =
                    format!("the text begins with its byte order mark, {}", hex.join(" "));
                (scheme, scheme.unmarked(), evidence)
            }
            None => {
                let scheme = self.zeros.by_units()?;
                let evidence = if self.zeros.are_of_ascii(scheme) {
                    "its zero bytes are where ASCII characters have theirs"
                } else {
                    "its code units are all characters of one script"
                };
                (scheme, scheme, evidence.to_owned())
            }
        };
        // The byte order is right, with or without a mark: the text is read correctly.
        if self.encoding == Some(scheme) || self.family().is_some_and(Family::is_ucs) {
            return None;
        }
        let order = match scheme.order {
            Some(ByteOrder::Little) => "little-endian",
            _ => "big-endian",
        };
        let name = scheme.unmarked().name();
        let what = if self.family() == Some(scheme.family) {
            format!("{name} in the other byte order, {order}")
        } else {
            format!("{name}, {order}")
        };
        let repair = Some(Repair::from(read_as));
        Some(Guess { cause: Cause::WideUnits, what, evidence, characters: Vec::new(), repair })
    }

    /// Guesses UTF-8 that is read as something else.
    ///
    /// In bytes, one multi-byte character is required: without any, the text is ASCII, which most encodings read the
    /// same way. In wide units, ASCII is misread too, so it is enough that the text is well-formed UTF-8 and has no
    /// zero byte.
    pub(super) fn utf8(&self) -> Option<Guess> {
        let wide = self.family().is_some_and(Family::is_wide);
        let FormCounts { ill_formed, multi, .. } = self.counts;
        // A shorter text in wide units may lack zero bytes and be well-formed UTF-8 by chance.
        let is = if wide { self.offset >= 8 && !self.zeros.any() } else { multi > 0 };
        // Skipped parts are only known to be well-formed in the other encoding.
        (is && ill_formed == 0 && !self.is_utf8() && !self.skipped).then(|| Guess {
            cause: Cause::Utf8,
            what: Encoding::UTF_8.name().to_owned(),
            evidence: format!(
                "the whole text is well-formed UTF-8 with {}{}",
                counted(multi, "multi-byte character"),
                if wide { " and no zero byte" } else { "" }
            ),
            characters: Vec::new(),
            repair: Some(Repair::from(Encoding::UTF_8)),
        })
    }

    fn java_string(&self) -> Option<Guess> {
        let java = self.java.filter(|_| self.is_utf8())?;
        let FormCounts { wide: WideForms { pairs, java_nuls, .. }, four, .. } = self.counts;
        let all = self.offset;
        let fits = all == java.head + java.len;
        // Two bytes that equal the length by chance prove little by themselves.
        if !fits || four > 0 || !java.in_stream && pairs + java_nuls == 0 {
            return None;
        }
        let stream = if java.in_stream {
            "AC ED 00 05, the signature of a Java object stream, and "
        } else {
            ""
        };
        Some(Guess {
            cause: Cause::JavaString,
            what: "a string written by Java: its length, then MUTF-8".to_owned(),
            evidence: format!(
                "the text begins with {stream}the number of bytes that follow, {}",
                java.len
            ),
            characters: Vec::new(),
            repair: Some(Repair { skip: java.head, ..Repair::from(Encoding::MUTF_8) }),
        })
    }
}

/// Returns how many bytes at the end of `bytes` may belong to a sequence that continues after them: from the last byte
/// that is not a continuation byte, or from the first half of a surrogate pair.
///
/// ```text
/// … 61 E4 B8 AD E4 B8              the last sequence is not complete: 2
/// … 61 E4 B8 AD                    it may be followed by more continuation bytes: 3
/// … 61 ED A0 BD ED B8 80           two surrogates of three bytes each may be a pair: 6
/// ```
///
/// A sequence of the wider scheme has at most five continuation bytes, so nothing further back can reach the end.
fn unfinished(bytes: &[u8]) -> usize {
    let len = |bytes: &[u8]| {
        let back = bytes.iter().rev().take(6).take_while(|byte| **byte & 0xC0 == 0x80).count();
        bytes.len().min(back + 1)
    };
    let last = len(bytes);
    let before = &bytes[..bytes.len() - last];
    match bytes[bytes.len() - last..] {
        [0xED, ..] if len(before) == 3 => last + 3,
        _ => last,
    }
}

/// Returns the repair with U+FFFD, for bytes whose meaning is unknown.
pub(super) fn replaced() -> Repair {
    Repair::default()
        .on_ill_formed(Substitute::Replacement)
        .losing("each such place becomes U+FFFD")
}

impl JavaString {
    fn at(start: &[u8]) -> Option<Self> {
        let (head, len, in_stream) = match *start {
            [0xAC, 0xED, 0, 5, 0x74, high, low, ..] => (7, [high, low], true),
            [high, low, ..] => (2, [high, low], false),
            _ => return None,
        };
        Some(Self { head, len: u16::from_be_bytes(len).into(), in_stream })
    }
}

impl Verdict {
    /// Whether the text is read as UTF-8 and is ill-formed.
    pub fn is_ill_formed(&self) -> bool {
        self.of_utf8 && self.counts.ill_formed > 0
    }

    /// Whether the ill-formed bytes have several causes that no single command repairs.
    pub fn is_of_several(&self) -> bool {
        self.whole.is_none() && self.repair.is_none() && Causes::of(&self.counts).are_several()
    }

    /// Returns the hint on the text, if it has ill-formed bytes and something is known about them.
    pub fn hint(&self) -> Option<Hint> {
        if let Some(escaped) = self.escaped {
            return Some(escaped.hint(self.counts.rest(), self.repair.clone()));
        }
        match &self.whole {
            Some(whole) => Some(Hint::of_whole(whole)),
            None if self.of_utf8 => {
                Causes::of(&self.counts).hint(&self.counts, self.stray, self.repair.clone())
            }
            None => None,
        }
    }

    /// Iterates over the values of the ill-formed bytes.
    pub fn ill_formed_bytes(&self) -> impl Iterator<Item = u8> {
        self.counts.values().iter()
    }

    /// Returns the number of ill-formed bytes.
    pub fn ill_formed(&self) -> u64 {
        self.counts.ill_formed
    }

    /// Returns the number of multi-byte characters of UTF-8.
    pub fn characters(&self) -> u64 {
        self.counts.multi
    }

    /// Whether each byte can be named, although the text as a whole is in another encoding: that is single-byte.
    pub fn names_bytes(&self) -> bool {
        let legacy = self.whole.as_ref().filter(|whole| whole.cause == Cause::Legacy);
        let from = legacy.and_then(|whole| whole.repair.as_ref()).and_then(|repair| repair.from);
        from.is_some() && from == self.stray.as_ref().map(StrayEncoding::encoding)
    }
}

/// The verdict on a text as a whole.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What the whole text is, if that is the fault.
    pub whole: Option<Guess>,
    /// The encoding of the whole text by its letters, even if they are few, and the confidence in percent.
    pub of_letters: Option<(&'static Encoding, u8)>,
    /// The encodings of the lines that are not UTF-8, if that is the fault and all lines are known.
    pub lines: Vec<&'static Encoding>,
    /// A remark on a text that is well-formed.
    pub note: Option<Guess>,
    /// What repairs the whole text, if one command does.
    pub repair: Option<Repair>,
    pub(super) stray: Option<StrayEncoding>,
    pub(super) escaped: Option<EscapedBytes>,
    pub(super) counts: FormCounts,
    of_utf8: bool,
}
