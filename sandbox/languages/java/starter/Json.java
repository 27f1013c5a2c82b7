import java.util.ArrayList;
import java.util.List;

/** The few parts of JSON that a bot needs: Java has none in its standard library. */
final class Json {
    private final String text;
    private int at = 1; // behind the first bracket

    private Json(String text) {
        this.text = text.strip();
        skipSpace();
    }

    /** The value of a key of an object, a text without its quotes; empty when there is none. */
    static String get(String object, String key) {
        Json json = new Json(object);
        while (json.isText()) {
            String name = unquoted(json.take());
            String value = json.take();
            if (name.equals(key))
                return unquoted(value);
        }
        return "";
    }

    /** The texts in the list under a key; none when there is no such list. */
    static List<String> texts(String object, String key) {
        Json json = new Json(get(object, key));
        List<String> found = new ArrayList<>();
        while (json.isText())
            found.add(unquoted(json.take()));
        return found;
    }

    private boolean isText() {
        return at < text.length() && text.charAt(at) == '"';
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at)))
            at++;
    }

    /** Takes the value that begins here, and the comma or colon behind it. */
    private String take() {
        int begin = at, depth = 0;
        boolean quoted = false;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quoted && c == '\\') {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == '{' || c == '[')) {
                depth++;
            } else if (!quoted && depth > 0 && (c == '}' || c == ']')) {
                depth--;
            } else if (!quoted && depth == 0 && ",:]} ".indexOf(c) >= 0) {
                break;
            }
        }
        String value = text.substring(begin, at);
        skipSpace();
        if (at < text.length() && (text.charAt(at) == ',' || text.charAt(at) == ':'))
            at++;
        skipSpace();
        return value;
    }

    private static String unquoted(String value) {
        return value.length() > 1 && value.charAt(0) == '"' ? value.substring(1, value.length() - 1) : value;
    }
}
