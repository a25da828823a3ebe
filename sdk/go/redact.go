package vigil

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
)

const redacted = "[redacted]"

var (
	secretHeaders = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
		"x-auth-token", "x-access-token", "x-csrf-token"}
	secretFields = []string{"password", "passwd", "pwd", "secret", "client_secret", "token", "access_token",
		"refresh_token", "id_token", "api_key", "otp", "pin", "cvv", "cvc", "card_number", "ssn"}
	cookieValue = regexp.MustCompile(`=[^;]*`)
	scheme      = regexp.MustCompile(`^(\w+) .`)
	jsonType    = regexp.MustCompile(`(?i)^application/(?:[\w.-]+\+)?json`)
	formType    = regexp.MustCompile(`(?i)^application/x-www-form-urlencoded`)
)

// redactor replaces secrets before anything leaves the process. Header schemes
// and cookie names stay, since they tell how callers authenticate. A body is kept
// only in a form in which fields can be found: JSON and URL-encoded forms.
type redactor struct {
	headerNames, fieldNames map[string]bool
}

func newRedactor(headers, fields []string) redactor {
	r := redactor{map[string]bool{}, map[string]bool{}}
	for _, name := range append(append([]string(nil), secretHeaders...), headers...) {
		r.headerNames[strings.ToLower(name)] = true
	}
	for _, name := range append(append([]string(nil), secretFields...), fields...) {
		r.fieldNames[plain(name)] = true
	}
	return r
}

// plain makes field names equal whatever their case and separators.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

func (r redactor) headers(headers http.Header) [][2]string {
	pairs := [][2]string{}
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range headers[name] {
			pairs = append(pairs, [2]string{strings.ToLower(name), r.header(strings.ToLower(name), value)})
		}
	}
	return pairs
}

func (r redactor) header(name, value string) string {
	if !r.headerNames[name] {
		return value
	}
	switch name {
	case "cookie":
		return cookieValue.ReplaceAllLiteralString(value, "="+redacted)
	case "set-cookie":
		at := cookieValue.FindStringIndex(value)
		if at == nil {
			return redacted
		}
		return value[:at[0]] + "=" + redacted + value[at[1]:]
	}
	if found := scheme.FindStringSubmatch(value); found != nil {
		return found[1] + " " + redacted
	}
	return redacted
}

func (r redactor) path(path string) string {
	before, query, found := strings.Cut(path, "?")
	if !found {
		return path
	}
	return before + "?" + r.pairs(query)
}

// pairs keeps the order and the spelling of what is not a secret.
func (r redactor) pairs(text string) string {
	parts := strings.Split(text, "&")
	for i, part := range parts {
		name, _, found := strings.Cut(part, "=")
		decoded, err := url.QueryUnescape(name)
		if found && (err != nil || r.fieldNames[plain(decoded)]) {
			parts[i] = name + "=" + url.QueryEscape(redacted)
		}
	}
	return strings.Join(parts, "&")
}

func (r redactor) body(data []byte, headers http.Header) string {
	// Compressed bodies would have to be unpacked to be redacted.
	if len(data) == 0 || headers.Get("Content-Encoding") != "" {
		return ""
	}
	kind := headers.Get("Content-Type")
	if formType.MatchString(kind) {
		return r.pairs(string(data))
	}
	if !jsonType.MatchString(kind) {
		return ""
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil || decoder.More() {
		return "" // not JSON: nothing tells where its secrets are
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(r.value(value)) != nil {
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func (r redactor) value(value any) any {
	switch one := value.(type) {
	case map[string]any:
		for name, field := range one {
			if r.fieldNames[plain(name)] {
				one[name] = redacted
			} else {
				one[name] = r.value(field)
			}
		}
	case []any:
		for i := range one {
			one[i] = r.value(one[i])
		}
	}
	return value
}
