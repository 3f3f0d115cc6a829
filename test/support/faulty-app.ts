// A small web application with twenty planted faults, one a page, and how an agent finds each of them with Page.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface FaultyApp {
  readonly url: string;
  close(): Promise<void>;
}

/** What the agent does next, from what the last result showed. */
type Step = (shown: string) => Record<string, unknown>;

export interface PlantedFault {
  name: string;
  /** Its page, below the address of the application. */
  page: string;
  /** After the page was opened. */
  steps: readonly Step[];
  /** What tells it, in one of the results. */
  found: RegExp;
}

/** A host that no name server knows. */
export const elsewhere = 'elsewhere.invalid';

const page = (body: string, script = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body><main>${body}</main><script>${script}</script></body></html>`;

const pages: Readonly<Record<string, string>> = {
  '/total': page('<h1>Cart</h1><ul><li>Tea 12</li><li>Pot 30</li></ul><p>Total 41</p>'),
  '/add': page(
    '<button id="b">Add to cart</button>',
    'b.onclick = () => { const cart = undefined; cart.items.push(1); };',
  ),
  '/search': page(
    '<button id="b">Search</button><p id="p"></p>',
    "b.onclick = () => fetch('/api/search').then((r) => r.ok || (p.textContent = 'No results'));",
  ),
  '/logo': page('<img src="/logo.png" alt="Logo"><h1>Shop</h1>'),
  '/script': page('<h1>Shop</h1><script src="/missing.js"></script>'),
  '/label': page('<h1>Newsletter</h1><input type="email"><button>Subscribe</button>'),
  '/disabled': page('<input aria-label="Name" value="Ann"><button disabled>Save</button>'),
  '/overlay': page('<button>Pay</button><div id="veil" style="position:fixed;inset:0;opacity:0"></div>'),
  '/menu': page('<button>Menu</button>', '/* Nobody listens. */'),
  '/delete': page(
    '<button id="b">Delete</button><p id="p">1 item</p>',
    "b.onclick = () => { if (!confirm('Delete?')) p.textContent = '0 items'; };",
  ),
  '/help': page('<a href="/halp">Help</a>'),
  '/docs': page('<a href="/leave">Docs</a>'),
  '/promise': page('<h1>Shop</h1>', "Promise.reject(new Error('no stock'));"),
  '/country': page('<label>Country <select><option>France</option><option>Spain</option></select></label>'),
  '/twice': page(
    '<form id="f"><button id="b">Order</button></form><p id="p"></p>',
    "const send = () => fetch('/api/order', { method: 'POST' }); b.addEventListener('click', send); f.addEventListener('submit', (e) => { e.preventDefault(); send().then(() => (p.textContent = 'Ordered')); });",
  ),
  // The same in a picture of more than a few bytes.
  '/mosaic': page(
    '<button id="b">Plus</button><p id="p">Count 0</p><canvas id="c" width="1200" height="600"></canvas>',
    "let n = 0; const up = () => (p.textContent = `Count ${++n}`); b.addEventListener('click', up); b.addEventListener('click', () => up()); const x = c.getContext('2d'); for (let i = 0; i < 7200; i++) { x.fillStyle = `hsl(${(i * 47) % 360} 80% ${30 + ((i * 31) % 50)}%)`; x.fillRect((i % 120) * 10, Math.floor(i / 120) * 10, 10, 10); }",
  ),
  '/counter': page(
    '<button id="b">Plus</button><p id="p">Count 0</p>',
    "let n = 0; const up = () => (p.textContent = `Count ${++n}`); b.addEventListener('click', up); b.addEventListener('click', () => up());",
  ),
  '/short': page(
    '<label>City <input maxlength="40" id="i"></label>',
    'i.oninput = () => (i.value = i.value.slice(0, 5));',
  ),
  '/enter': page(
    '<input aria-label="Find" id="i"><p id="p">Nothing searched</p>',
    "i.onkeydown = (e) => { if (e.key === 'enter') p.textContent = 'Searched'; };",
  ),
  '/blank': page('<div id="root"></div>', "document.querySelector('#app').textContent = 'Hello';"),
  '/slow': page('<h1>Prices</h1><p id="p">Loading</p>', "fetch('/api/never').then(() => (p.textContent = '3'));"),
};

/** The ref of an element, by its role and name as the tree has them. */
export function refOf(shown: string, element: RegExp): string {
  const line = shown.split('\n').find((one) => element.test(one));
  return /\[ref=(\w+)\]/.exec(line ?? '')?.[1] ?? 'e0';
}

const click =
  (element: RegExp): Step =>
  (shown) => ({ action: 'click', ref: refOf(shown, element) });
const type =
  (element: RegExp, text: string, submit = false): Step =>
  (shown) => ({ action: 'type', ref: refOf(shown, element), text, submit });

export const plantedFaults: readonly PlantedFault[] = [
  { name: 'a wrong sum', page: '/total', steps: [], found: /Tea 12[^]*Pot 30[^]*Total 41/ },
  {
    name: 'a button that throws',
    page: '/add',
    steps: [click(/button "Add/)],
    found: /error: Uncaught TypeError: .*items/,
  },
  {
    name: 'a request that fails on the server',
    page: '/search',
    steps: [click(/button "Search/)],
    found: /request: GET \S+\/api\/search answered 500/,
  },
  { name: 'a missing picture', page: '/logo', steps: [], found: /request: GET \S+\/logo\.png answered 404/ },
  { name: 'a missing script', page: '/script', steps: [], found: /request: GET \S+\/missing\.js answered 404/ },
  { name: 'a field without a name', page: '/label', steps: [], found: /- textbox \[ref=/ },
  {
    name: 'a button that is never enabled',
    page: '/disabled',
    steps: [click(/button "Save/)],
    found: /is not enabled/,
  },
  {
    name: 'something that lies over a button',
    page: '/overlay',
    steps: [click(/button "Pay/)],
    found: /<div id="veil"[^]*intercepts pointer events/,
  },
  {
    name: 'a button that nobody listens to',
    page: '/menu',
    steps: [click(/button "Menu/)],
    found: /Nothing that the tree shows has changed/,
  },
  {
    name: 'a question whose answers are swapped',
    page: '/delete',
    steps: [click(/button "Delete/)],
    found: /0 items[^]*dialog: confirm "Delete\?" was cancelled/,
  },
  { name: 'a dead link', page: '/help', steps: [click(/link "Help/)], found: /request: GET \S+\/halp answered 404/ },
  {
    name: 'a link that leaves',
    page: '/docs',
    steps: [click(/link "Docs/)],
    found: new RegExp(`stopped: .*https?://${elsewhere}/`),
  },
  { name: 'a promise that nobody catches', page: '/promise', steps: [], found: /error: Uncaught Error: no stock/ },
  {
    name: 'a missing option',
    page: '/country',
    steps: [type(/combobox/, 'Germany')],
    found: /did not find some options/,
  },
  {
    name: 'an order that is sent twice',
    page: '/twice',
    steps: [click(/button "Order/)],
    found: /request: POST \S+\/api\/order answered 409/,
  },
  {
    name: 'a counter that counts by two',
    page: '/counter',
    steps: [click(/button "Plus/)],
    found: /- .*Count 0\n\+ .*Count 2/,
  },
  {
    name: 'a field that loses letters',
    page: '/short',
    steps: [type(/textbox "City/, 'Frankfurt')],
    found: /\+ textbox "City".*: Frank$/m,
  },
  {
    name: 'a key that does nothing',
    page: '/enter',
    steps: [type(/textbox "Find/, 'tea', true), () => ({ action: 'snapshot', find: 'searched' })],
    found: /Lines with "searched":[^]*Nothing searched/,
  },
  { name: 'a page that stays blank', page: '/blank', steps: [], found: /error: Uncaught TypeError[^]*/ },
  {
    name: 'an answer that never comes',
    page: '/slow',
    steps: [],
    found: /Still loading: 1 request not answered yet\.[^]*Loading/,
  },
];

export async function startFaultyApp(): Promise<FaultyApp> {
  let orders = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/';
    const html = pages[path];
    if (html !== undefined) {
      orders = 0;
      response.setHeader('content-type', 'text/html').end(html);
    } else if (path === '/leave') response.writeHead(302, { location: `http://${elsewhere}/` }).end();
    else if (path === '/api/search') response.writeHead(500).end('broken');
    else if (path === '/api/order') response.writeHead(++orders > 1 ? 409 : 200).end();
    else if (path !== '/api/never') response.writeHead(404).end('Not found');
  };
  const server: Server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
