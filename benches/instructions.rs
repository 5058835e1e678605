//! Runs one kernel over one text, TURNS times. The script `benches/instructions` runs this program under QEMU and
//! counts the instructions.
//!
//! ```text
//! instructions SET FROM TO|validate TEXT TURNS      prints the length of the text in bytes
//! ```

use std::hint::black_box;

use oxiconv_kernels::EncodingForm;

mod texts;
use texts::{TEXTS, encode};

/// The approximate length of a text in UTF-8, in bytes.
const SIZE: usize = 16 * 1024;

fn form(name: &str) -> EncodingForm {
    let named = |form: &&EncodingForm| format!("{form:?}") == name;
    *EncodingForm::ALL.iter().find(named).expect("a form")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, from, to, name, turns] = &arguments[..] else { panic!("five arguments") };
    let sets = oxiconv_kernels::available();
    let set = sets.iter().find(|known| known.name == set).expect("a set of this processor");
    let (_, words) = TEXTS.iter().find(|(known, _)| known == name).expect("a text");
    let from = form(from);
    let input = encode(from, &words.repeat(SIZE / words.len())).expect("a form that has it");
    let mut output = vec![0; 4 * input.len() + 256];
    for _ in 0..turns.parse().expect("a number") {
        let read = if to == "validate" {
            (set.validate)(from)(black_box(&input))
        } else {
            (set.convert)(from, form(to))(black_box(&input), &mut output).read
        };
        assert_eq!(black_box(read), input.len());
    }
    println!("{}", input.len());
}
