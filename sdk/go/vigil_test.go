package vigil

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// collector takes batches as Vigil does.
type collector struct {
	*httptest.Server
	mutex    sync.Mutex
	statuses []int
	bodies   [][]map[string]any
	messages []map[string]any
}

func newCollector(t *testing.T, statuses ...int) *collector {
	c := &collector{statuses: statuses}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ BatchData []map[string]any }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("X-Api-Key") != "k" {
			t.Errorf("a bad request: %v", err)
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.bodies = append(c.bodies, body.BatchData)
		if len(c.statuses) > 0 {
			w.WriteHeader(c.statuses[0])
			c.statuses = c.statuses[1:]
			return
		}
		c.messages = append(c.messages, body.BatchData...)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) first(t *testing.T) map[string]any {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		c.mutex.Lock()
		messages := c.messages
		c.mutex.Unlock()
		if len(messages) > 0 {
			return messages[0]
		}
	}
	t.Fatal("no message in time")
	return nil
}

func clientFor(t *testing.T, url string, change func(*Options)) *Client {
	options := Options{URL: url, Key: "k", FlushInterval: 20 * time.Millisecond}
	if change != nil {
		change(&options)
	}
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		client.Close(ended)
	})
	return client
}

var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Set-Cookie", "sid=abc; Path=/")
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"got":%s}`, body)
})

func post(t *testing.T, handler http.Handler, path, body string) (int, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	request, _ := http.NewRequest(http.MethodPost, server.URL+path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer xyz")
	request.Header.Set("Cookie", "a=1; b=2")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

func TestAnAddressThatIsNoneAndAnEmptyKeyAreRefusedAtOnce(t *testing.T) {
	for _, options := range []Options{{URL: "vigil.internal", Key: "k"}, {URL: "vigil.internal:9090", Key: "k"}, {Key: "k"}, {URL: "http://x.test"}} {
		if client, err := New(options); err == nil {
			client.Close(context.Background())
			t.Errorf("%q was taken", options.URL)
		}
	}
}

func TestRequestsAreSentRedacted(t *testing.T) {
	to := newCollector(t)
	client := clientFor(t, to.URL, func(o *Options) { o.RedactFields = []string{"iban"} })
	body := `{"Card-Number":"4111","list":[{"iban":"DE1"}],"n":12345678901234567890}`
	status, text := post(t, client.Handler(echo), "/pay?token=abc&x=1", body)
	if status != 201 || text != `{"got":`+body+`}` {
		t.Fatalf("the application answered %d %s", status, text)
	}
	message := to.first(t)
	for name, want := range map[string]any{
		"path": "/pay?token=%5Bredacted%5D&x=1", "method": "POST", "statusCode": 201.0, "ip": "127.0.0.1",
		"requestPayload": `{"Card-Number":"[redacted]","list":[{"iban":"[redacted]"}],"n":12345678901234567890}`,
	} {
		if message[name] != want {
			t.Errorf("%s is %v, not %v", name, message[name], want)
		}
	}
	all, _ := json.Marshal(message)
	for _, secret := range []string{"4111", "xyz", "abc", "DE1"} {
		if strings.Contains(string(all), secret) {
			t.Errorf("%s was sent", secret)
		}
	}
	for _, kept := range []string{"Bearer [redacted]", "a=[redacted]; b=[redacted]", "sid=[redacted]; Path=/"} {
		if !strings.Contains(string(all), kept) {
			t.Errorf("%s is missing in %s", kept, all)
		}
	}
}

func TestMessagesTellHowLongTheApplicationTook(t *testing.T) {
	to := newCollector(t)
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(30 * time.Millisecond)
		echo(w, r)
	})
	begun := time.Now()
	post(t, clientFor(t, to.URL, nil).Handler(slow), "/slow", "1")
	took, _ := to.first(t)["durationMs"].(float64)
	if most := float64(time.Since(begun).Milliseconds()); took < 30 || took > most {
		t.Errorf("durationMs is %v, not between 30 and %v", took, most)
	}
}

func TestABatchRefusedForNowIsSentAgainWithTheSameIDs(t *testing.T) {
	to := newCollector(t, 503)
	post(t, clientFor(t, to.URL, nil).Handler(echo), "/a", "1")
	to.first(t)
	if to.bodies[0][0]["id"] != to.bodies[1][0]["id"] {
		t.Error("the id changed")
	}
}

func TestWithTheServerAwayTheQueueIsBoundedAndTheApplicationAnswers(t *testing.T) {
	client := clientFor(t, "http://127.0.0.1:9", func(o *Options) { o.MaxQueueBytes = 10_000 })
	for range 20 {
		if status, _ := post(t, client.Handler(echo), "/a", "1"); status != 201 {
			t.Fatalf("status %d", status)
		}
	}
	stats := client.Stats()
	if stats.Captured != 20 || stats.Dropped == 0 || stats.WaitingBytes > 10_000 {
		t.Errorf("%+v", stats)
	}
}

func TestAPanicStaysTheApplicationsOwn(t *testing.T) {
	to := newCollector(t)
	broken := clientFor(t, to.URL, nil).Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	func() {
		defer func() {
			if recover() != http.ErrAbortHandler {
				t.Error("the panic was changed")
			}
		}()
		broken.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/x", nil))
	}()
	if status := to.first(t)["statusCode"]; status != 500.0 {
		t.Errorf("status %v", status)
	}
}

func TestLongBodiesAndUnsampledRequestsAreNotSent(t *testing.T) {
	to := newCollector(t)
	client := clientFor(t, to.URL, func(o *Options) { o.MaxBodyBytes = 100 })
	post(t, client.Handler(echo), "/long", `"`+strings.Repeat("x", 200)+`"`)
	if message := to.first(t); message["requestPayload"] != "" || message["responsePayload"] != "" {
		t.Errorf("a long body was sent: %v", message)
	}
	none := clientFor(t, to.URL, func(o *Options) { o.SampleRate = -1 })
	post(t, none.Handler(echo), "/a", "1")
	if none.Stats().Captured != 0 {
		t.Error("a request was captured")
	}
}

func TestStreamsReachTheClientAtOnce(t *testing.T) {
	to := newCollector(t)
	handler := clientFor(t, to.URL, nil).Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "first")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	}))
	server := httptest.NewServer(handler)
	defer server.Close()
	response, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 5)
	if _, err := io.ReadFull(response.Body, text); err != nil || string(text) != "first" {
		t.Errorf("%s %v", text, err)
	}
	response.Body.Close()
}
