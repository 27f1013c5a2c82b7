//! The few parts of JSON that a bot needs: Rust has none in its standard library.

/// The value of a key of an object, a text without its quotes.
pub fn get<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = object.trim_start().strip_prefix('{')?.trim_start();
    while rest.starts_with('"') {
        let name = take(&mut rest);
        let value = take(&mut rest);
        if unquoted(name) == key {
            return Some(unquoted(value));
        }
    }
    None
}

/// The texts in the list under a key; none when there is no such list.
pub fn texts<'a>(object: &'a str, key: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    if let Some(mut rest) = get(object, key).and_then(|list| list.strip_prefix('[')) {
        rest = rest.trim_start();
        while rest.starts_with('"') {
            found.push(unquoted(take(&mut rest)));
        }
    }
    found
}

/// Takes a value off the front, and the comma or colon behind it.
fn take<'a>(rest: &mut &'a str) -> &'a str {
    let (value, behind) = rest.split_at(length(rest));
    let behind = behind.trim_start();
    *rest = behind.strip_prefix(|c| c == ',' || c == ':').unwrap_or(behind).trim_start();
    value
}

/// The length of the value that a text begins with.
fn length(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            if !quoted && depth == 0 {
                return at + 1;
            }
            continue;
        }
        match c {
            '"' => quoted = true,
            '{' | '[' => depth += 1,
            '}' | ']' if depth > 1 => depth -= 1,
            '}' | ']' if depth == 1 => return at + 1,
            ',' | ':' | '}' | ']' | ' ' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
}
