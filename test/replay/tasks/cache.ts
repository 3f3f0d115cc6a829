// Tasks in a cache with an HTTP server, written in Go.
import { edit, lines, list, read, recorded, run, symbol, write, type Task } from '../intents';

const ok =
  'ok  \texample.com/cache\t0.004s\n?   \texample.com/cache/cmd/cached\t[no test files]\nok  \texample.com/cache/server\t0.006s\n';

const failed = (test: string, place: string, said: string): string => `--- FAIL: ${test} (0.00s)
    ${place}: ${said}
FAIL
FAIL\texample.com/cache\t0.004s
?   \texample.com/cache/cmd/cached\t[no test files]
ok  \texample.com/cache/server\t0.006s
FAIL
`;

const expireEnd = `		t.Error("a should have expired")
	}
}
`;

export const cacheTasks: readonly Task[] = [
  {
    name: 'cache/expired-entries-leak',
    repository: 'cache',
    prompt:
      'Len and the map of entries disagree after an entry expires: a Set of an expired key does nothing visible. Find the bug, test it, fix it.',
    steps: [
      [lines('order\\.Remove|delete\\(', '*.go', 3), symbol('Len')],
      read('cache.go', 'cache_test.go'),
      [
        edit(
          'cache_test.go',
          expireEnd,
          `${expireEnd}
func TestSetAfterExpiry(t *testing.T) {
	now := time.Unix(0, 0)
	c := New(2, time.Minute)
	c.now = func() time.Time { return now }
	c.Set("a", []byte("1"))
	now = now.Add(2 * time.Minute)
	c.Get("a")
	c.Set("a", []byte("2"))
	if value, ok := c.Get("a"); !ok || string(value) != "2" {
		t.Errorf("got %q, %v", value, ok)
	}
}
`,
        ),
        recorded('go test ./...', failed('TestSetAfterExpiry', 'cache_test.go:45', 'got "", false'), 1),
      ],
      [
        edit(
          'cache.go',
          '		c.order.Remove(element)\n		c.misses++',
          '		c.order.Remove(element)\n		delete(c.entries, key)\n		c.misses++',
        ),
        edit(
          'cache.go',
          '		element.Value.(*entry).value = value\n',
          '		found := element.Value.(*entry)\n		found.value, found.expires = value, c.now().Add(c.ttl)\n',
        ),
        recorded('go test ./...', ok),
      ],
    ],
    answer:
      'Get left expired keys in the map, and Set did not renew the time. Both are fixed in `cache.go`; the new test covers them.',
  },
  {
    name: 'cache/404-for-missing',
    repository: 'cache',
    prompt: 'A missing key answers 500. It should be 404; add a test.',
    steps: [
      [lines('StatusInternalServerError')],
      read('server/server.go', 'server/server_test.go'),
      [
        edit('server/server.go', 'http.StatusInternalServerError', 'http.StatusNotFound'),
        edit(
          'server/server_test.go',
          '		t.Errorf("got %q", w.Body.String())\n	}\n}\n',
          `		t.Errorf("got %q", w.Body.String())
	}
}

func TestMissing(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(cache.New(2, 0)).ServeHTTP(w, httptest.NewRequest("GET", "/cache/none", nil))
	if w.Code != 404 {
		t.Errorf("got %d", w.Code)
	}
}
`,
        ),
        recorded('go test ./...', ok),
      ],
    ],
    answer: 'A missing key answers 404 now (`server/server.go:20`), with a test.',
  },
  {
    name: 'cache/len-is-racy',
    repository: 'cache',
    prompt: '`go test -race` reports Len. Lock there too.',
    steps: [
      [lines('func \\(c \\*Cache\\)', '*.go', 4)],
      [edit('cache.go', '	return c.order.Len()\n', '	c.mu.Lock()\n	defer c.mu.Unlock()\n	return c.order.Len()\n')],
      [recorded('go test -race ./...', ok), run('git diff --stat')],
    ],
    answer: '`Len` takes the lock (`cache.go:75`). The race detector is quiet.',
  },
  {
    name: 'cache/stats-endpoint',
    repository: 'cache',
    prompt: 'Serve hits, misses and the number of entries as JSON at GET /stats. Tests please.',
    steps: [
      [list('**/*.go')],
      read('cache.go', 'server/server.go', 'server/server_test.go', 'cmd/cached/main.go', 'README.md'),
      [
        write(
          'stats.go',
          `package cache

// Stats are counted since the cache was made.
type Stats struct {
	Hits    int \`json:"hits"\`
	Misses  int \`json:"misses"\`
	Entries int \`json:"entries"\`
}

// Stats returns the present counts.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{Hits: c.hits, Misses: c.misses, Entries: c.order.Len()}
}
`,
        ),
        edit('server/server.go', 'import (\n	"io"', 'import (\n	"encoding/json"\n	"io"'),
        edit(
          'server/server.go',
          '		key := strings.TrimPrefix',
          `		if r.URL.Path == "/stats" && r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(c.Stats())
			return
		}
		key := strings.TrimPrefix`,
        ),
        edit(
          'server/server.go',
          '// Handler serves GET and PUT of /cache/<key>.',
          '// Handler serves GET and PUT of /cache/<key>, and GET of /stats.',
        ),
        write(
          'server/stats_test.go',
          `package server

import (
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/cache"
)

func TestStats(t *testing.T) {
	c := cache.New(2, 0)
	c.Set("a", nil)
	c.Get("a")
	c.Get("b")
	w := httptest.NewRecorder()
	Handler(c).ServeHTTP(w, httptest.NewRequest("GET", "/stats", nil))
	if got := strings.TrimSpace(w.Body.String()); got != \`{"hits":1,"misses":1,"entries":1}\` {
		t.Error(got)
	}
}
`,
        ),
        edit(
          'README.md',
          'and an HTTP server in front of it.\n',
          'and an HTTP server in front of it.\n\n`GET /stats` answers hits, misses and the number of entries as JSON.\n',
        ),
      ],
      [recorded('go vet ./...', ''), recorded('go test ./...', ok)],
    ],
    answer: '`GET /stats` answers `{"hits":…,"misses":…,"entries":…}` (`server/server.go:15`, `stats.go`).',
  },
  {
    name: 'cache/delete-method',
    repository: 'cache',
    prompt: 'Add Delete to the cache and DELETE to the server (204, also for a missing key).',
    steps: [
      read('cache.go', 'server/server.go', 'server/server_test.go'),
      [
        edit(
          'cache.go',
          '// Len is the number of entries.',
          `// Delete removes a key, if it is there.
func (c *Cache) Delete(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[key]; ok {
		c.order.Remove(element)
		delete(c.entries, key)
	}
}

// Len is the number of entries.`,
        ),
        edit(
          'server/server.go',
          '		default:\n',
          '		case http.MethodDelete:\n			c.Delete(key)\n			w.WriteHeader(http.StatusNoContent)\n		default:\n',
        ),
        edit('server/server.go', 'serves GET and PUT of', 'serves GET, PUT and DELETE of'),
        edit(
          'server/server_test.go',
          '		t.Errorf("got %q", w.Body.String())\n	}\n}\n',
          `		t.Errorf("got %q", w.Body.String())
	}
}

func TestDelete(t *testing.T) {
	c := cache.New(2, 0)
	c.Set("a", []byte("1"))
	for range 2 {
		w := httptest.NewRecorder()
		Handler(c).ServeHTTP(w, httptest.NewRequest("DELETE", "/cache/a", nil))
		if w.Code != 204 || c.Len() != 0 {
			t.Errorf("got %d, %d entries", w.Code, c.Len())
		}
	}
}
`,
        ),
        recorded('go test ./...', ok),
      ],
    ],
    answer: 'Added `Cache.Delete` and `DELETE /cache/<key>`; tests pass.',
  },
];
