// HTML to Markdown, and the thread that does it: pages that never end end there.
import assert from 'node:assert/strict';
import { build, type BuildOptions } from 'esbuild';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { htmlToMarkdown } from '../../../../src/node/web/web-markdown';
import { markdownInThread } from '../../../../src/node/web/web-markdown-thread';

const page = 'https://docs.example.test/guide/start.html';
const never = new AbortController().signal;

describe('htmlToMarkdown', () => {
  const table: [string, string, string][] = [
    ['headings, emphasis, code', '<h1>A</h1><p>b <b>c</b> <i>d</i> <code>e_f</code></p>', '# A\n\nb **c** *d* `e_f`'],
    ['the title', '<head><title> My\n page </title></head><p>x_y</p>', 'Title: My page\n\nx_y'],
    [
      'links become whole',
      '<a href="../api?x=1#y">see <b>it</b></a>',
      '[see **it**](https://docs.example.test/api?x=1#y)',
    ],
    ['a link with brackets', '<a href="/a_(b)">x</a>', '[x](https://docs.example.test/a_%28b%29)'],
    [
      'links that lead nowhere are text',
      '<a href="#top">top</a> <a href="javascript:alert(1)">run</a> <a>none</a>',
      'top run none',
    ],
    [
      'images by their text',
      '<img src="/a.png" alt="A picture"><img src="b.png"><img alt="data" src="data:image/png;base64,AAAA">',
      '![A picture](https://docs.example.test/a.png)data',
    ],
    ['code blocks', '<pre><code class="language-ts">const a = 1;\nb()</code></pre>', '```ts\nconst a = 1;\nb()\n```'],
    ['lists', '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>', '-   a\n-   b\n    1.  c'],
    [
      'tables',
      '<table><thead><tr><th>Name</th><th>Type</th></tr></thead><tbody><tr><td>a|b</td><td><p>x</p><p>y</p></td></tr></tbody></table>',
      '| Name | Type |\n| --- | --- |\n| a\\|b | x y |',
    ],
    [
      'nothing that nobody sees',
      '<script>evil()</script><style>p{}</style><p hidden>h</p><template>t</template><svg><text>s</text></svg><!-- c --><noscript>n</noscript><form><button>b</button><select><option>o</option></select></form><p>seen</p>',
      'seen',
    ],
    ['text that looks like Markdown stays as it is', '<p>a_b * c [d]</p>', 'a_b * c [d]'],
    ['nothing at all', '', ''],
    ['broken HTML', '<div><p>a<b>b</div><td>c', 'a**b**\n\n**c**'],
  ];
  for (const [name, html, expected] of table) it(name, () => assert.equal(htmlToMarkdown(html, page), expected));
});

describe('markdownInThread', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;

  before(async () => {
    const { bundles } = (await import(pathToFileURL(path.resolve('esbuild.mjs')).href)) as {
      bundles: { markdown: BuildOptions };
    };
    await mkdir('out', { recursive: true });
    folder = await mkdtemp(path.resolve('out/markdown-'));
    await build({ ...bundles.markdown, outdir: folder, sourcemap: false });
    file = path.join(folder, 'web-markdown.js');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('converts as the built file does', async () => {
    assert.equal(
      await markdownInThread(file)('<h1>A</h1><a href="b">c</a>', page, never),
      '# A\n\n[c](https://docs.example.test/guide/b)',
    );
  });

  it('gives up on what takes too long, what breaks the converter, and where there is none', async () => {
    for (const endless of ['<div>'.repeat(50_000), '<br>'.repeat(100_000)])
      assert.equal(await markdownInThread(file, 300)(`${endless}x`, page, never), undefined);
    assert.equal(await markdownInThread(file)(7 as unknown as string, page, never), undefined);
    assert.equal(await markdownInThread(path.join(folder, 'none.js'))('<p>a', page, never), undefined);
  });

  it('rejects on abort and leaves no thread behind', async () => {
    const abort = new AbortController();
    const converted = markdownInThread(file)('<br>'.repeat(100_000), page, abort.signal);
    abort.abort(new Error('stop'));
    await assert.rejects(converted, /stop/);
    await assert.rejects(markdownInThread(file)('<p>a', page, abort.signal), /stop/);
  });
});
