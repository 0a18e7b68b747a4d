//! Liquid code blocks in Markdown (`{% highlight yaml %}` ... `{% endhighlight %}`, as Jekyll has them), read as fences.

use std::borrow::Cow;

/// The text with each block's tags turned into fence lines of the same length, so that every byte keeps its place.
pub(super) fn as_fences(text: &str) -> Cow<'_, str> {
    if !text.contains("{% highlight") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        let end = &line[body.len()..];
        let tag = body.trim();
        let fence = if let Some(rest) = tag.strip_prefix("{% highlight ").filter(|_| tag.ends_with("%}")) {
            let lang: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_')).collect();
            Some(format!("```{lang}"))
        } else if tag == "{% endhighlight %}" {
            Some("```".to_owned())
        } else {
            None
        };
        match fence.filter(|f| f.len() <= body.len() && body.is_ascii()) {
            Some(fence) => {
                out.push_str(&fence);
                out.extend(std::iter::repeat_n(' ', body.len() - fence.len()));
            }
            None => out.push_str(body),
        }
        out.push_str(end);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::as_fences;

    #[test]
    fn keeps_every_byte_in_place() {
        let text = "a\n{% highlight yaml %}\r\nport: 4000\n{% endhighlight %}\nb";
        let fenced = as_fences(text);
        assert_eq!(fenced, "a\n```yaml             \r\nport: 4000\n```               \nb");
        assert_eq!(fenced.len(), text.len());
        assert_eq!(as_fences("{% highlight"), "{% highlight");
    }
}
