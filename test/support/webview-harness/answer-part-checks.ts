// What answers hold besides text: formulas, footnotes, pictures of the workspace.
import assert from 'node:assert/strict';
import { type Check, posts } from './checks';
import { approvals, finished, snapshot, todos } from './conversations';
import { background } from './background-checks';
import { drawn, type Harness } from './harness';

export const answerOf = (text: string, streaming = false) =>
  snapshot({ ...finished, items: [{ kind: 'text', id: 't', text, streaming }] });

export const formulas = `The roots of $ax^2 + bx + c = 0$ are

$$
x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

and \\(\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\\) follows[^gauss]. It costs $5 and $6. A typing error: $\\frac{1}{2$ and

\\[
\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\cdot \\vec{v} = \\undefinedcommand
\\]

\\[
\\begin{cases} n/2 & \\text{if } n \\equiv 0 \\pmod 2 \\\\ 3n+1 & \\text{otherwise} \\end{cases}
\\quad \\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt\\pi}{2} \\quad \\color{red}{red} \\quad \\cancel{x} \\boxed{y} \\sout{z}
\\]

[^gauss]: As a schoolboy is said to have found, see \`src/sum.ts\`.
`;

/** One red point. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

export async function showFormulas({ send, page }: Harness): Promise<void> {
  await send(answerOf(formulas));
  await page.locator('.math-display math').first().waitFor();
  await drawn(page);
}

export const answerPartChecks: readonly Check[] = [
  {
    name: 'answer parts: formulas are drawn as MathML, prices stay text, and what is no TeX shows its source and says why',
    options: { width: 300, ownPage: true },
    run: async (harness) => {
      const { page } = harness;
      await showFormulas(harness);
      assert.equal(await page.locator('.math:not(.math-display) math').count(), 2);
      assert.equal(await page.locator('.math-display math').count(), 2);
      assert.match(await page.locator('.markdown').innerText(), /It costs \$5 and \$6\./);
      assert.equal(await page.locator('.math code').first().innerText(), '$\\frac{1}{2$');
      assert.match(await page.locator('.math-problem').innerText(), /could not be drawn: Undefined control sequence/);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy formula' }).first().click();
      assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        '$$\nx = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n$$',
      );
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(wide, 0, 'a long formula scrolls by itself');
    },
  },
  {
    name: 'answer parts: a formula that still comes is its source, and nothing is loaded for an answer without one',
    run: async ({ send, events, page }) => {
      const loaded = new Set<string>();
      page.on('request', (request) => loaded.add(request.url()));
      await send(answerOf('No formula here.', true));
      await events({ type: 'delta', id: 't', text: '\n\n$$\nx^2' });
      await page.getByText('$$ x^2').waitFor();
      assert.deepEqual([...loaded], []);
      await events({ type: 'delta', id: 't', text: '\n$$\n\nDone' });
      await page.locator('math').waitFor();
      assert.equal([...loaded].filter((url) => url.includes('draw-math')).length, 1);
    },
  },
  {
    name: 'answer parts: a footnote is reached from its mark and leads back; a mark without a note is text',
    run: async ({ send, page }) => {
      await send(answerOf('So it is[^a]. The last is `x`, or list[^1] in some languages.\n\n[^a]: Because.'));
      const mark = page.getByRole('link', { name: 'Footnote 1', exact: true });
      assert.equal(await mark.innerText(), '1');
      await mark.press('Enter');
      const back = page.getByRole('link', { name: 'Back to the text of footnote 1' });
      assert.equal(await back.evaluate((element) => element === document.activeElement), true);
      await back.press('Enter');
      assert.equal(await mark.evaluate((element) => element === document.activeElement), true);
      assert.match(await page.locator('.markdown').innerText(), /list\[\^1\] in some/);
    },
  },
  {
    name: 'answer parts: pictures of the workspace are shown or say why not; those of the web are links',
    run: async (harness) => {
      const { send, answer, page } = harness;
      await send(answerOf('Before ![A red point](out/point.png) after.'));
      assert.deepEqual(await posts(harness, 'picture'), { type: 'picture', path: 'out/point.png' });
      await answer('picture', { data: png, mediaType: 'image/png', width: 60, height: 60 });
      const picture = page.getByRole('img', { name: 'A red point' });
      assert.deepEqual(
        await picture.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]),
        [60, 60],
      );
      await picture.click();
      assert.deepEqual(await posts(harness, 'openFile'), { type: 'openFile', path: 'out/point.png' });

      await send(
        snapshot(
          { ...finished, items: [{ kind: 'text', id: 'v', text: '![Gone](a/b.png)', streaming: false }] },
          {},
          2,
        ),
      );
      await answer('picture', { problem: 'there is no such file' });
      await page.getByText('Gone (picture not shown: there is no such file)').waitFor();

      await send(
        snapshot(
          {
            ...finished,
            items: [{ kind: 'text', id: 'w', text: '![Far](https://example.org/a.png)', streaming: false }],
          },
          {},
          3,
        ),
      );
      await page.getByText('Far (picture, not loaded from the web)').waitFor();
      assert.equal(await page.locator('.markdown img').count(), 0);
    },
  },
  {
    name: 'tasks: with the end of the turn none is under way any more, unless somebody works in the background',
    run: async ({ send, page }) => {
      const strip = page.getByRole('region', { name: "Agent's tasks" });
      await send(snapshot({ ...finished, todos, status: 'working' }));
      const [current] = todos.filter(({ status }) => status === 'in_progress');
      await strip.getByText(current?.activeForm ?? '').waitFor();
      await send(snapshot({ ...finished, todos, status: 'idle' }, {}, 2));
      await strip.getByText(`Left at: ${current?.content}`).waitFor();
      await strip.getByRole('button').click();
      assert.equal(await strip.locator('.todo-in_progress').count(), 0);
      await send(snapshot({ ...finished, todos, background, status: 'idle' }, {}, 3));
      assert.equal(await strip.locator('.todo-in_progress').count(), 1);
    },
  },
  {
    name: 'answers: a block is applied to the file that it names, or to one that the host finds out; what is run is not',
    run: async (harness) => {
      const { send, page } = harness;
      await send(
        answerOf(
          'One:\n\n```ts src/a.ts\nconst a = 1;\n```\n\nTwo:\n\n```py\nx = 1\n```\n\nRun:\n\n```bash\nnpm test\n```\n',
        ),
      );
      await page.getByRole('button', { name: 'Apply to src/a.ts' }).click();
      assert.deepEqual(await posts(harness, 'applyCode'), {
        type: 'applyCode',
        text: 'const a = 1;',
        language: 'ts',
        path: 'src/a.ts',
      });
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      assert.deepEqual((await harness.posted()).filter(({ type }) => type === 'applyCode').at(-1), {
        type: 'applyCode',
        text: 'x = 1',
        language: 'py',
      });
      assert.equal(await page.getByRole('button', { name: /^Apply/ }).count(), 2);
    },
  },
  {
    name: 'answers: what the user proposes is a card without words for an agent',
    run: async ({ send, page }) => {
      const [edit] = approvals;
      if (edit === undefined) throw new Error('There is no card.');
      await send(snapshot({ ...finished, status: 'waiting', approvals: [{ ...edit, byUser: true, suggestions: [] }] }));
      await page.getByRole('button', { name: /^Accept/ }).waitFor();
      assert.equal(await page.locator('.approval textarea, .approval input').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Why does Deft ask?' }).count(), 0);
    },
  },
];
