//! Searches for what is written instead of a letter with its marks.

use super::form_table::entries;
use super::form_table::{cells, entry};
use super::letter_marks::{composed, decomposed, may_drop, voiced};
use super::transliteration_locale::TransliterationLocale;
use oxiconv_encodings::unicode::CodePoint;

/// Marks of a letter for which every combination is tried, which is exponential. Further ones are dropped. Real text
/// has at most four.
const MAX_MARKS_TRIED: usize = 5;

/// Whether the target can write a text.
type CanWrite<'a> = &'a dyn Fn(&[CodePoint]) -> bool;

/// The forms of all characters, under the rules of one locale.
#[derive(Debug, Default)]
pub struct Forms {
    /// Sorted by the characters.
    rules: Vec<([CodePoint; 2], &'static str)>,
}

impl Forms {
    /// Creates the forms for a locale.
    pub fn new(locale: TransliterationLocale) -> Self {
        let mut rules: Vec<_> = locale.rules().collect();
        rules.sort_unstable_by_key(|(cps, _)| *cps);
        Self { rules }
    }

    /// Returns everything that has a form, in order: the characters, and the pairs of the locale.
    pub fn keys(&self) -> Vec<String> {
        let own = self.rules.iter().map(|(cps, _)| *cps);
        let mut keys: Vec<_> = entries().map(|entry| [entry.cp, 0]).chain(own).collect();
        keys.sort_unstable();
        keys.dedup();
        let text = |cps: [CodePoint; 2]| {
            cps.into_iter().filter(|cp| *cp != 0).filter_map(char::from_u32).collect()
        };
        keys.into_iter().map(text).collect()
    }

    /// Returns the forms of one of [`Forms::keys`], best first, and where they come from.
    pub fn listed(&self, key: &str) -> Option<(&'static str, Vec<String>)> {
        let cps: Vec<_> = key.chars().map(CodePoint::from).collect();
        let owned = |forms: &'static str| cells(forms).map(str::to_owned).collect();
        let (first, second) = (*cps.first()?, cps.get(1).copied().unwrap_or(0));
        if let Some(forms) = self.rule([first, second]) {
            return Some(("locale", owned(forms)));
        }
        if let Some(entry) = entry(first) {
            return Some((entry.source(), owned(entry.cells())));
        }
        let ascii = |text: &[CodePoint]| text.iter().all(|cp| *cp < 0x80);
        let form = self.find(&cps, &ascii).filter(|_| !ascii(&cps))?;
        Some(("decomposition", vec![form.into_iter().filter_map(char::from_u32).collect()]))
    }

    /// Whether two characters together have a form: by a rule of the locale, or as half-width katakana and sound mark.
    pub fn is_pair(&self, first: CodePoint, second: CodePoint) -> bool {
        voiced(first, second).is_some() || second != 0 && self.rule([first, second]).is_some()
    }

    /// Returns what is written for `cluster`: one character, or a letter and its marks. `writes` says what the target
    /// can write; it cannot write the whole cluster. `None` if no form says the same, or if the target can write none.
    ///
    /// The candidates are the letter with all its marks, with all but one, and so on (`with_fewer_marks`). For `ệ` to
    /// a target with ASCII and `ê`:
    ///
    /// ```text
    /// ệ    not in the target; no form in the table
    /// ẹ    the same; of equally many marks, the first in canonical order (U+0323) is kept first
    /// ê    in the target: the result
    /// ```
    pub fn find(&self, cluster: &[CodePoint], writes: CanWrite<'_>) -> Option<Vec<CodePoint>> {
        if let [first, second] = *cluster
            && let Some(form) = self.rule([first, second])
        {
            return first_of(form, writes);
        }
        if let [first, second] = *cluster
            && let Some(voiced) = voiced(first, second)
        {
            return writes(&[voiced]).then(|| vec![voiced]);
        }
        let canonical = decomposed(cluster)?;
        let whole = composed(&canonical);
        // A sign that is canonically equivalent to a letter, such as the ohm sign, may have a form of its own.
        if let [cp] = *cluster
            && whole != cluster
            && let Some(form) = self.of_locale(cp, writes).or_else(|| of_table(cp, writes))
        {
            return Some(form);
        }
        let (base, marks) = canonical.split_first()?;
        let letters = with_fewer_marks(*base, marks);
        let of_table = |letter: &Vec<CodePoint>| match **letter {
            [cp] => of_table(cp, writes),
            _ => None,
        };
        // Two searches over the candidates, from more marks to fewer: what the target has or the locale writes, and the
        // first with a form in the table. The former wins, except that a rule of the locale for less of the letter
        // loses to a form for more of it. In Ukrainian, Ё to ASCII is `Yo` by the table, not what the locale writes for
        // Е.
        let formed = letters.iter().find_map(|letter| Some((letter, of_table(letter)?)));
        let mut says_less = false;
        let itself = letters.iter().find_map(|letter| {
            let written = self.itself(letter, writes, says_less);
            says_less |= formed.as_ref().is_some_and(|(formed, _)| *formed == letter);
            written
        });
        itself.or(formed.map(|(_, form)| form))
    }

    /// Returns `letter` if it can be written, or else what the locale writes for it, unless a form of the table says
    /// more.
    fn itself(
        &self,
        letter: &[CodePoint],
        writes: CanWrite<'_>,
        says_less: bool,
    ) -> Option<Vec<CodePoint>> {
        if let Some(written) = spellings(letter).into_iter().find(|spelling| writes(spelling)) {
            return Some(written);
        }
        match *letter {
            [cp] if !says_less => self.of_locale(cp, writes),
            _ => None,
        }
    }

    fn rule(&self, cps: [CodePoint; 2]) -> Option<&'static str> {
        let at = self.rules.binary_search_by_key(&cps, |(cps, _)| *cps).ok()?;
        Some(self.rules[at].1)
    }

    fn of_locale(&self, cp: CodePoint, writes: CanWrite<'_>) -> Option<Vec<CodePoint>> {
        first_of(self.rule([cp, 0])?, writes)
    }
}

/// Returns the ways to write a composed letter: as it is, with one of its marks apart, and decomposed.
fn spellings(letter: &[CodePoint]) -> Vec<Vec<CodePoint>> {
    let canonical = decomposed(letter).unwrap_or_default();
    let apart = |at: usize| {
        let mut rest = canonical.clone();
        let mark = rest.remove(at);
        rest = composed(&rest);
        rest.push(mark);
        // Marks of the same class must keep their order, or the text would not be equivalent.
        (decomposed(&rest)? == canonical).then_some(rest)
    };
    let apart: Vec<_> = (1..canonical.len()).rev().filter_map(apart).collect();
    std::iter::once(letter.to_vec()).chain(apart).chain([canonical]).collect()
}

fn of_table(cp: CodePoint, writes: CanWrite<'_>) -> Option<Vec<CodePoint>> {
    first_of(entry(cp)?.cells(), writes)
}

/// Returns the first form that the target can write.
fn first_of(forms: &'static str, writes: CanWrite<'_>) -> Option<Vec<CodePoint>> {
    let code_points = |form: &str| form.chars().map(CodePoint::from).collect::<Vec<_>>();
    cells(forms).map(code_points).find(|form| writes(form))
}

/// Returns a letter with all its marks, with all but one, and so on, each composed. Of several with as many marks,
/// those that keep the earlier marks come first. A mark that must not be dropped is in all of them.
fn with_fewer_marks(base: CodePoint, marks: &[CodePoint]) -> Vec<Vec<CodePoint>> {
    let droppable: Vec<usize> = (0..marks.len()).filter(|at| may_drop(base, marks[*at])).collect();
    let tried = droppable.len().min(MAX_MARKS_TRIED);
    // One bit per dropped mark. The first mark has the highest bit, so that among equal counts it is dropped last.
    let of_count = |count| (0..1_u32 << tried).filter(move |dropped| dropped.count_ones() == count);
    let choices = (0..=tried as u32).flat_map(of_count);
    let drops = |dropped: u32, at| match droppable.iter().position(|one| *one == at) {
        Some(index) if index < tried => dropped >> (tried - 1 - index) & 1 == 1,
        Some(_) => true,
        None => false,
    };
    let letter = |dropped| {
        let kept = (0..marks.len()).filter(|at| !drops(dropped, *at)).map(|at| marks[at]);
        composed(&std::iter::once(base).chain(kept).collect::<Vec<_>>())
    };
    choices.map(letter).collect()
}

#[cfg(test)]
mod tests;
