//! JSON, strictly: one value and nothing behind it, no key twice, no depth beyond the limit. What programs must agree on
//! byte by byte may not be read leniently. Also finds where in the text a JSON pointer leads. Nothing recurses.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// Deepest nesting of arrays and objects.
pub(super) const MAX_DEPTH: usize = 128;

/// Why a text is no JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Byte of the text.
    pub(super) at: usize,
    /// Whether a key stands twice; else the syntax is wrong.
    pub(super) is_duplicate: bool,
    /// What is wrong.
    pub(super) wrong: String,
    /// What would be right.
    pub(super) right: String,
    /// JSON pointer to the place.
    pub(super) pointer: String,
}

/// Reads the value that begins at `start`; gives it with the byte behind it.
pub(super) fn value_at(text: &str, start: usize) -> Result<(Value, usize), Fault> {
    Reader::new(text, start, None).read()
}

/// Where the values of pointers begin in a text that [`value_at`] reads from `start`.
pub(super) fn locate(text: &str, start: usize, wanted: &BTreeSet<String>) -> BTreeMap<String, usize> {
    let mut reader = Reader::new(text, start, Some(wanted));
    let _ = reader.read_all();
    reader.found
}

/// A value that is being filled.
enum Frame {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    stack: Vec<Frame>,
    /// JSON pointer of the current value, and its length at each level.
    pointer: String,
    lengths: Vec<usize>,
    wanted: Option<&'t BTreeSet<String>>,
    found: BTreeMap<String, usize>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, start: usize, wanted: Option<&'t BTreeSet<String>>) -> Self {
        Self { text, at: start, stack: Vec::new(), pointer: String::new(), lengths: Vec::new(), wanted, found: BTreeMap::new() }
    }

    fn read(mut self) -> Result<(Value, usize), Fault> {
        let value = self.read_all()?;
        Ok((value, self.at))
    }

    fn read_all(&mut self) -> Result<Value, Fault> {
        loop {
            self.skip_blanks();
            self.note();
            let value = match self.peek() {
                Some(b'{') => {
                    self.open(Frame::Object(Map::new(), String::new()))?;
                    self.skip_blanks();
                    if self.peek() == Some(b'}') {
                        self.close()
                    } else {
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.open(Frame::Array(Vec::new()))?;
                    self.skip_blanks();
                    if self.peek() == Some(b']') {
                        self.close()
                    } else {
                        self.enter("0");
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            if let Some(done) = self.place(value)? {
                return Ok(done);
            }
        }
    }

    /// Puts a finished value into what contains it, and goes on to the next; gives the outermost value.
    fn place(&mut self, mut value: Value) -> Result<Option<Value>, Fault> {
        loop {
            let Some(frame) = self.stack.last_mut() else { return Ok(Some(value)) };
            let (close, next_index) = match frame {
                Frame::Array(list) => {
                    list.push(value);
                    (b']', Some(list.len()))
                }
                Frame::Object(map, key) => {
                    map.insert(std::mem::take(key), value);
                    (b'}', None)
                }
            };
            self.leave();
            self.skip_blanks();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    match next_index {
                        Some(index) => self.enter(&index.to_string()),
                        None => self.key()?,
                    }
                    return Ok(None);
                }
                Some(byte) if byte == close => value = self.close(),
                _ => return Err(self.fault(&format!("{} here", self.shown()), &format!("`,` or `{}`", char::from(close)))),
            }
        }
    }

    fn open(&mut self, frame: Frame) -> Result<(), Fault> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.fault(&format!("more than {MAX_DEPTH} levels of nesting"), "a record of moderate depth"));
        }
        self.at += 1;
        self.stack.push(frame);
        Ok(())
    }

    fn close(&mut self) -> Value {
        self.at += 1;
        match self.stack.pop() {
            Some(Frame::Array(list)) => Value::Array(list),
            Some(Frame::Object(map, _)) => Value::Object(map),
            None => Value::Null,
        }
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), Fault> {
        self.skip_blanks();
        let at = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.fault(&format!("{} where a key should stand", self.shown()), "a key in double quotes"));
        }
        let name = self.string()?;
        let is_duplicate = matches!(self.stack.last(), Some(Frame::Object(map, _)) if map.contains_key(&name));
        self.enter(&name);
        if is_duplicate {
            let wrong = format!("the key {} stands twice", quoted(&name));
            let right = "each key once: readers differ in which of two they take".to_owned();
            return Err(Fault { at, is_duplicate, wrong, right, pointer: self.pointer.clone() });
        }
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.fault(&format!("{} behind a key", self.shown()), "`:`"));
        }
        self.at += 1;
        if let Some(Frame::Object(_, key)) = self.stack.last_mut() {
            *key = name;
        }
        Ok(())
    }

    fn scalar(&mut self) -> Result<Value, Fault> {
        match self.peek() {
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                for (word, value) in [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)] {
                    if self.rest().starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.fault(
                    &format!("{} is no JSON value", self.shown()),
                    "an object, array, string, number, `true`, `false` or `null`",
                ))
            }
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(0..0x20) => {
                    self.at = end;
                    return Err(self.fault("a control character in a string", "an escape such as `\\n`"));
                }
                Some(_) => end += 1,
                None => return Err(self.fault("a string that does not end", "a closing `\"`")),
            }
        }
        let token = self.text.get(self.at..=end).unwrap_or("");
        match serde_json::from_str(token) {
            Ok(text) => {
                self.at = end + 1;
                Ok(text)
            }
            Err(_) => Err(self.fault("a string with an escape that JSON does not know", "escapes of JSON, surrogates in pairs")),
        }
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E')).count();
        match serde_json::from_str::<Value>(&rest[..length]) {
            Ok(number) => {
                self.at += length;
                Ok(number)
            }
            Err(_) => Err(self.fault(
                &format!("`{}` is no JSON number", clip(&rest[..length])),
                "a finite decimal number without leading zeros",
            )),
        }
    }

    fn enter(&mut self, segment: &str) {
        self.lengths.push(self.pointer.len());
        self.pointer.push('/');
        self.pointer.push_str(&escaped(segment));
    }

    fn leave(&mut self) {
        if let Some(length) = self.lengths.pop() {
            self.pointer.truncate(length);
        }
    }

    /// Remembers where a wanted value begins.
    fn note(&mut self) {
        if self.wanted.is_some_and(|wanted| wanted.contains(&self.pointer)) {
            self.found.insert(self.pointer.clone(), self.at);
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn shown(&self) -> String {
        let word: String = self.rest().chars().take(20).take_while(|c| c.is_alphanumeric()).collect();
        match self.rest().chars().next() {
            None => "the end of the text".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some(c) => format!("`{}`", c.escape_default()),
        }
    }

    fn fault(&self, wrong: &str, right: &str) -> Fault {
        Fault {
            at: self.at.min(self.text.len()),
            is_duplicate: false,
            wrong: wrong.to_owned(),
            right: right.to_owned(),
            pointer: self.pointer.clone(),
        }
    }
}

/// A key as a segment of a JSON pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A text in backquotes, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", clip(text))
}

fn clip(text: &str) -> String {
    let mut out: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    if text.chars().count() > 80 {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_json_is() {
        for text in [
            "{}",
            "[]",
            " null ",
            r#"{"a":[1,-2.5e3,{"b":"\u00e9\ud83d\ude00"}],"c":true}"#,
            "[[],{},\"\"]",
            "\"x\"",
            "0",
            "[1 , 2\n]",
        ] {
            let (value, end) = value_at(text, 0).expect(text);
            assert_eq!(value, serde_json::from_str::<Value>(text).expect(text));
            assert!(text[end..].trim().is_empty(), "{text}");
        }
    }

    #[test]
    fn refuses_what_it_is_not() {
        for (text, at, wrong) in [
            ("", 0, "the end of the text is no JSON value"),
            ("{\"a\":1,\"a\":2}", 7, "the key `a` stands twice"),
            ("[1,]", 3, "`]` is no JSON value"),
            ("{\"a\":1,}", 7, "`}` where a key should stand"),
            ("[1 2]", 3, "`2` here"),
            ("NaN", 0, "`NaN` is no JSON value"),
            ("[-Infinity]", 1, "`-` is no JSON number"),
            ("01", 0, "`01` is no JSON number"),
            ("1e999", 0, "`1e999` is no JSON number"),
            ("{\"a\" 1}", 5, "`1` behind a key"),
            ("\"a", 0, "a string that does not end"),
            ("\"\t\"", 1, "a control character in a string"),
            ("\"\\ud800\"", 0, "a string with an escape that JSON does not know"),
            ("{'a':1}", 1, "`\\'` where a key should stand"),
            ("// x\n1", 0, "`/` is no JSON value"),
            ("\"\\", 0, "a string that does not end"),
        ] {
            let fault = value_at(text, 0).expect_err(text);
            assert_eq!((fault.at, fault.wrong.as_str()), (at, wrong), "{text}");
        }
    }

    #[test]
    fn bounds_depth() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(value_at(&nested(MAX_DEPTH), 0).is_ok());
        assert_eq!(value_at(&nested(MAX_DEPTH + 1), 0).expect_err("too deep").at, MAX_DEPTH);
        assert!(value_at(&"[".repeat(1_000_000), 0).is_err());
    }

    #[test]
    fn finds_places() {
        let text = "{\"a/b\": [1, {\"~c\": 2}]}";
        let wanted: BTreeSet<String> = ["", "/a~1b", "/a~1b/1/~0c", "/none"].map(str::to_owned).into();
        let found: Vec<(String, usize)> = locate(text, 0, &wanted).into_iter().collect();
        assert_eq!(found, [(String::new(), 0), ("/a~1b".to_owned(), 8), ("/a~1b/1/~0c".to_owned(), 19)]);
    }
}
