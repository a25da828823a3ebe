package vigil

import (
	"io"
	"net/http"
)

// copyOf keeps what passes, up to a limit.
type copyOf struct {
	data  []byte
	size  int
	limit int
}

func (c *copyOf) add(data []byte) {
	c.size += len(data)
	if c.size <= c.limit {
		c.data = append(c.data, data...)
	} else {
		c.data = nil
	}
}

func (c *copyOf) bytes() []byte {
	return c.data
}

type requestBody struct {
	io.ReadCloser
	copy *copyOf
}

func (b *requestBody) Read(data []byte) (int, error) {
	count, err := b.ReadCloser.Read(data)
	b.copy.add(data[:count])
	return count, err
}

// recorder passes a response on; http.ResponseController reaches the writer below through Unwrap.
type recorder struct {
	http.ResponseWriter
	body   copyOf
	status int
}

func (r *recorder) WriteHeader(status int) {
	// Statuses below 200 come before the response.
	if r.status == 0 && status >= http.StatusOK {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(data []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	count, err := r.ResponseWriter.Write(data)
	r.body.add(data[:count])
	return count, err
}

func (r *recorder) code() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// Flush serves handlers that stream.
func (r *recorder) Flush() {
	if flusher, ok := r.ResponseWriter.(http.Flusher); ok {
		flusher.Flush()
	}
}

// Unwrap gives http.ResponseController the writer of the server: hijacking, deadlines.
func (r *recorder) Unwrap() http.ResponseWriter {
	return r.ResponseWriter
}
