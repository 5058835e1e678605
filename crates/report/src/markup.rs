//! Text in HTML and XML, escaped so that it cannot be markup, move the cursor or be hidden.

use super::visible::visible;

/// Escapes text for the content of an element or for a quoted attribute. The result has only characters that XML 1.0
/// allows: the others are escaped as in all formats ([`visible`]).
pub(super) fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut markup = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\'' => markup.push_str("&#39;"),
            _ => markup.push(c),
        }
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_markup_is_left() {
        assert_eq!(
            escaped("</b><script>a('x') && \"y\""),
            "&lt;/b&gt;&lt;script&gt;a(&#39;x&#39;) &amp;&amp; &quot;y&quot;"
        );
    }

    /// XML 1.0, production 2 (Char).
    #[test]
    fn every_character_is_one_that_xml_allows() {
        let is_allowed = |c: char| {
            matches!(
                u32::from(c),
                0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x1_0000..=0x10_FFFF
            )
        };
        let all: String = ('\0'..=char::MAX).collect();
        let markup = escaped(&all);
        assert!(markup.chars().all(is_allowed));
        assert!(!markup.contains(['\0', '\n', '\u{9B}', '\u{202E}', '\u{FFFE}']));
    }
}
