// Package vigil sends the requests that a Go HTTP server serves, with their
// responses, to Vigil. It has no dependencies. The application keeps its
// streams, its timing and its errors: what cannot be sent is dropped and counted.
package vigil

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	maxMessages   = 500
	maxBatchBytes = 2 << 20
	firstPause    = time.Second
	longestPause  = 30 * time.Second
	// What a message takes beside its bodies, roughly.
	headBytes = 2048
)

// Options of a client; the zero value of a field means its default.
type Options struct {
	// URL and Key of the Vigil server.
	URL, Key string
	// CollectionID that takes everything; 0 goes by host.
	CollectionID int64
	// SampleRate is the share of the requests that are sent, 1 by default.
	// A negative rate sends none.
	SampleRate float64
	// MaxBodyBytes of a body that is sent, 64 KiB by default.
	MaxBodyBytes int
	// MaxQueueBytes that may wait, 8 MiB by default; beyond it messages are dropped.
	MaxQueueBytes int
	// FlushInterval is the longest wait of a message for others, a second by default.
	FlushInterval time.Duration
	// Timeout of one request to Vigil, 5 seconds by default.
	Timeout time.Duration
	// RedactHeaders and RedactFields are replaced in addition to those that usually carry secrets.
	RedactHeaders, RedactFields []string
}

// Stats counts messages since the start.
type Stats struct {
	Captured, Sent, Dropped, Rejected, Errors int64
	Waiting, WaitingBytes                     int
}

// Client captures what a server serves and sends it in the background.
type Client struct {
	options  Options
	redactor redactor
	http     *http.Client

	mutex   sync.Mutex
	stats   Stats
	waiting []*message
	bytes   int
	closed  bool

	full, closing, done chan struct{}
}

type message struct {
	captured captured
	size     int
	text     json.RawMessage
}

type captured struct {
	at                              int64
	duration                        time.Duration
	method, path, proto, ip         string
	requestHeaders, responseHeaders http.Header
	requestBody, responseBody       []byte
	status                          int
}

// New starts a client; Close ends it.
func New(options Options) (*Client, error) {
	address, err := url.Parse(options.URL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, errors.New("vigil: URL must be the address of Vigil, such as https://vigil.internal")
	}
	if options.Key == "" {
		return nil, errors.New("vigil: Key must be an API key of Vigil")
	}
	options.URL = strings.TrimRight(options.URL, "/")
	if options.SampleRate == 0 {
		options.SampleRate = 1
	}
	if options.MaxBodyBytes == 0 {
		options.MaxBodyBytes = 64 << 10
	}
	if options.MaxQueueBytes == 0 {
		options.MaxQueueBytes = 8 << 20
	}
	if options.FlushInterval == 0 {
		options.FlushInterval = time.Second
	}
	if options.Timeout == 0 {
		options.Timeout = 5 * time.Second
	}
	client := &Client{
		options:  options,
		redactor: newRedactor(options.RedactHeaders, options.RedactFields),
		http: &http.Client{
			Timeout:       options.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		full:    make(chan struct{}, 1),
		closing: make(chan struct{}),
		done:    make(chan struct{}),
	}
	go client.run()
	return client, nil
}

// Handler wraps a handler: net/http, chi, gorilla, and with their adapters gin and echo.
func (c *Client) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.options.SampleRate < 1 && mathrand.Float64() >= c.options.SampleRate {
			next.ServeHTTP(w, r)
			return
		}
		started := time.Now()
		request := &copyOf{limit: c.options.MaxBodyBytes}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &requestBody{r.Body, request}
		}
		// Handlers may change the headers of the request for those they call.
		headers := r.Header.Clone()
		if r.Host != "" {
			headers.Set("Host", r.Host)
		}
		response := &recorder{ResponseWriter: w, body: copyOf{limit: c.options.MaxBodyBytes}}
		passed := false
		defer func() {
			if !passed && response.status == 0 {
				response.status = http.StatusInternalServerError // the server answers a panic by hanging up
			}
			c.add(captured{
				at: started.Unix(), duration: time.Since(started), method: r.Method, path: r.RequestURI, proto: r.Proto, ip: hostOf(r.RemoteAddr),
				requestHeaders: headers, requestBody: request.bytes(),
				status: response.code(), responseHeaders: w.Header().Clone(), responseBody: response.body.bytes(),
			})
		}()
		next.ServeHTTP(response, r)
		passed = true
	})
}

func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// Stats since the start.
func (c *Client) Stats() Stats {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	stats := c.stats
	stats.Waiting, stats.WaitingBytes = len(c.waiting), c.bytes
	return stats
}

// Close sends what waits until the context ends; what is left is dropped.
func (c *Client) Close(ctx context.Context) {
	c.mutex.Lock()
	if !c.closed {
		c.closed = true
		close(c.closing)
	}
	c.mutex.Unlock()
	select {
	case <-c.done:
	case <-ctx.Done():
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stats.Dropped += int64(len(c.waiting))
	c.waiting, c.bytes = nil, 0
}

func (c *Client) add(one captured) {
	size := headBytes + len(one.requestBody) + len(one.responseBody)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stats.Captured++
	if c.closed || c.bytes+size > c.options.MaxQueueBytes {
		c.stats.Dropped++
		return
	}
	c.waiting = append(c.waiting, &message{captured: one, size: size})
	c.bytes += size
	if c.bytes >= maxBatchBytes {
		select {
		case c.full <- struct{}{}:
		default:
		}
	}
}

func (c *Client) run() {
	defer close(c.done)
	failures := 0
	for {
		closed := c.wait(failures)
		batch := c.take()
		if len(batch) == 0 {
			if closed {
				return
			}
			continue
		}
		switch outcome := c.send(batch); {
		case outcome == again && !closed:
			failures++
			c.giveBack(batch)
			continue
		case outcome == sent:
			c.count(func(s *Stats) { s.Sent += int64(len(batch)) })
		case outcome == refused:
			c.count(func(s *Stats) { s.Rejected += int64(len(batch)) })
		default:
			c.count(func(s *Stats) { s.Dropped += int64(len(batch)) })
		}
		failures = 0
	}
}

// wait ends when something is to be sent; it reports whether the client was closed.
func (c *Client) wait(failures int) bool {
	pause, full := c.options.FlushInterval, c.full
	if failures > 0 {
		// After failures nothing hastens the next attempt.
		pause, full = min(firstPause<<min(failures, 5), longestPause), nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-c.closing:
		return true
	case <-full:
	case <-timer.C:
	}
	return false
}

func (c *Client) count(change func(*Stats)) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	change(&c.stats)
}

func (c *Client) take() []*message {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	count, size := 0, 0
	for count < len(c.waiting) && count < maxMessages && size < maxBatchBytes {
		size += c.waiting[count].size
		count++
	}
	batch := append([]*message(nil), c.waiting[:count]...)
	c.waiting = append([]*message(nil), c.waiting[count:]...)
	c.bytes -= size
	return batch
}

// giveBack puts a batch in front of what came meanwhile; what has no room any more is dropped.
func (c *Client) giveBack(batch []*message) {
	size := 0
	for _, one := range batch {
		size += one.size
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.bytes+size > c.options.MaxQueueBytes {
		c.stats.Dropped += int64(len(batch))
		return
	}
	c.waiting = append(batch, c.waiting...)
	c.bytes += size
}

type outcome int

const (
	sent outcome = iota
	refused
	again
)

func (c *Client) send(batch []*message) outcome {
	texts := make([]json.RawMessage, 0, len(batch))
	for _, one := range batch {
		// Prepared once, so that a batch sent twice counts once.
		if one.text == nil {
			one.text = c.prepare(one.captured)
		}
		texts = append(texts, one.text)
	}
	body := map[string]any{"batchData": texts}
	if c.options.CollectionID != 0 {
		body["apiCollectionId"] = c.options.CollectionID
	}
	text, err := json.Marshal(body)
	if err != nil {
		c.count(func(s *Stats) { s.Errors++ })
		return refused
	}
	request, err := http.NewRequest(http.MethodPost, c.options.URL+"/api/ingestData", bytes.NewReader(text))
	if err != nil {
		c.count(func(s *Stats) { s.Errors++ })
		return refused
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Api-Key", c.options.Key)
	response, err := c.http.Do(request)
	if err != nil {
		return again
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	switch status := response.StatusCode; {
	case status < 300:
		return sent
	case status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500:
		return again
	default:
		return refused
	}
}

func (c *Client) prepare(one captured) json.RawMessage {
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	text, err := json.Marshal(map[string]any{
		"id":              hex.EncodeToString(id),
		"time":            one.at,
		"durationMs":      one.duration.Milliseconds(),
		"method":          one.method,
		"path":            c.redactor.path(one.path),
		"type":            one.proto,
		"requestHeaders":  c.redactor.headers(one.requestHeaders),
		"requestPayload":  c.redactor.body(one.requestBody, one.requestHeaders),
		"statusCode":      one.status,
		"status":          http.StatusText(one.status),
		"responseHeaders": c.redactor.headers(one.responseHeaders),
		"responsePayload": c.redactor.body(one.responseBody, one.responseHeaders),
		"ip":              one.ip,
		"source":          "SDK",
	})
	if err != nil {
		c.count(func(s *Stats) { s.Errors++ })
		return json.RawMessage("null")
	}
	return text
}
