// Diagrams in answers: drawn as pictures in the colours of the theme, or shown as their source with the reason.
import assert from 'node:assert/strict';
import { answerOf } from './answer-part-checks';
import { type Check, axeFindings } from './checks';
import { drawn, type Harness } from './harness';
import { themeNames } from './themes';

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`;

const flow = fenced('flowchart TD\n  A[Request] --> B{Allowed?}\n  B -->|yes| C[Run]\n  B -->|no| D[Ask the user]');
const others = [
  'sequenceDiagram\n  participant U as User\n  U->>Deft: Prompt\n  Deft-->>U: Answer\n  Note over U: Reads',
  'classDiagram\n  class Session {\n    +id: string\n    +run()\n  }\n  Session <|-- Copy',
  'stateDiagram-v2\n  [*] --> Idle\n  Idle --> Working: send\n  Working --> Idle: stop',
  'erDiagram\n  USER ||--o{ SESSION : has',
  'gantt\n  dateFormat YYYY-MM-DD\n  section One\n  Task :a1, 2026-01-01, 3d',
].map(fenced);

export async function showDiagrams({ send, page }: Harness): Promise<void> {
  await send(answerOf(`The path of a call:\n\n${flow}${others.join('')}`));
  await page.waitForFunction((count) => document.querySelectorAll('.diagram img').length === count, others.length + 1);
  await drawn(page);
}

export const diagramChecks: readonly Check[] = [
  ...themeNames.map((theme): Check => ({
    name: `diagrams: each kind is drawn, and says in words what it shows, ${theme}`,
    options: { theme, width: 420 },
    run: async (harness) => {
      const { page } = harness;
      await showDiagrams(harness);
      const first = page.getByRole('img').first();
      assert.match((await first.getAttribute('alt')) ?? '', /^Diagram \(flowchart\): .*Request.*Ask the user/);
      assert.ok(await first.evaluate((image) => (image as HTMLImageElement).naturalWidth > 50));
      assert.equal(await page.locator('.diagram-measured').count(), 0);
      assert.deepEqual(await axeFindings(page), []);
    },
  })),
  {
    name: 'diagrams: the source is shown on demand and copied, and a block that still comes is its source',
    options: { ownPage: true },
    run: async ({ send, events, page }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await send(answerOf('```mermaid\nflowchart LR\n  A --> B\n', true));
      await page.getByText('flowchart LR').waitFor();
      assert.equal(await page.locator('.diagram').count(), 0);
      await events({ type: 'delta', id: 't', text: '```\n\nDone.\n' });
      await page.locator('.diagram img').waitFor();
      await page.getByRole('button', { name: 'Copy the source of the diagram' }).click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'flowchart LR\n  A --> B');
      await page.getByRole('button', { name: 'Show the source of the diagram' }).click();
      await page.getByText('flowchart LR').waitFor();
      await page.getByRole('button', { name: 'Show the diagram' }).click();
      await page.locator('.diagram img').waitFor();
    },
  },
  {
    name: 'diagrams: what cannot be drawn shows its source and says why',
    run: async ({ send, page }) => {
      const edges = Array.from({ length: 301 }, (_, index) => `  A${index} --> B`).join('\n');
      await send(
        answerOf(
          [
            'flowchart TD\n  A --> ((',
            'pie\n  "One" : 1',
            `flowchart TD\n  A["${'long '.repeat(5_000)}"]`,
            `flowchart TD\n${edges}`,
          ]
            .map(fenced)
            .join(''),
        ),
      );
      const reasons = page.locator('.diagram > p');
      await page.waitForFunction(() => document.querySelectorAll('.diagram > p').length === 4);
      assert.match(await reasons.nth(0).innerText(), /could not be drawn: Parse error on line 2/);
      assert.match(await reasons.nth(1).innerText(), /does not draw diagrams of this kind/);
      assert.match(await reasons.nth(2).innerText(), /longer than 20,000 characters/);
      assert.match(await reasons.nth(3).innerText(), /more than 300 edges/);
      assert.equal(await page.locator('.diagram .code').count(), 4);
    },
  },
  {
    name: 'diagrams: nothing of their source runs or is loaded',
    run: async ({ send, page, errors }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await send(
        answerOf(
          fenced(
            `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": ".node { background: url(https://example.org/css) }"}}%%\nflowchart TD\n  A["<img src='https://example.org/a.png' onerror='window.hit=1'>one"] --> B[two]\n  click A href "javascript:window.hit=1"\n  click B call alert(1)`,
          ),
        ),
      );
      await page.locator('.diagram img, .diagram > p').first().waitFor();
      await drawn(page);
      assert.equal(await page.evaluate(() => 'hit' in window), false);
      // Its label may be there as words.
      const active = await page.locator('.diagram img').evaluateAll((images) =>
        images.flatMap((image) => {
          const svg = decodeURIComponent((image.getAttribute('src') ?? '').replace(/^[^,]*,/, ''));
          const all = [...new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('*')];
          return all.flatMap((element) => [
            ...(/^(?:script|foreignObject|image|img|iframe)$/.test(element.localName) ? [element.localName] : []),
            ...(element.localName === 'style' && element.textContent.includes('example.org') ? ['style'] : []),
            ...[...element.attributes]
              .filter(({ name, value }) => name.startsWith('on') || /^(?:javascript|https?):/.test(value.trim()))
              .filter(({ name }) => !name.startsWith('xmlns'))
              .map(({ name }) => name),
          ]);
        }),
      );
      assert.deepEqual(active, []);
      // While the label is cleaned, the page's policy names what it would not run either.
      assert.deepEqual(
        errors.splice(0).filter((error) => !error.includes('Content Security Policy')),
        [],
      );
      assert.deepEqual(
        asked.filter((url) => url.includes('example.org')),
        [],
      );
    },
  },
];
