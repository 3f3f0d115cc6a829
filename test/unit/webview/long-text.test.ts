// A long answer reaches the page in steps and parts: what one frame gets stays small, and nothing is drawn twice.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type VNode } from 'preact';
import { createBlockParser } from '../../../webview-ui/markdown/block-parser';
import { createPartDrawing } from '../../../webview-ui/markdown/parts';
import { firstStep, nextStep, SMALLEST_STEP, type StepDone } from '../../../webview-ui/markdown/step';

const section = (n: number) =>
  `## Section ${n}\n\n${'Words of it. '.repeat(40)}\n\n- a list\n- of two\n\n\`\`\`ts\nconst a = ${n};\n\`\`\`\n\n`;
const answer = Array.from({ length: 30 }, (_, n) => section(n)).join('');

interface Part {
  key: number;
  known: boolean;
  blocks: readonly VNode[];
}

function partsOf(nodes: readonly VNode[]): Part[] {
  return nodes.map(({ key, props }) => {
    const { class: classes, children } = props as unknown as { class: string; children: VNode[] };
    return { key: key as number, known: classes.includes('known'), blocks: children };
  });
}

const after = (step: number, cost: number, more: Partial<StepDone> = {}) =>
  nextStep({ step, grown: step, cost, openLength: 0, left: 0, ...more });

describe('steps of a long text', () => {
  it('grow while they are cheap and shrink when they are not', () => {
    assert.ok(after(2_000, 2) > 2_000);
    assert.ok(after(4_000, 40) < 4_000);
    assert.equal(after(SMALLEST_STEP, 500), SMALLEST_STEP);
  });

  it('are never far from the one before, whatever a frame cost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: SMALLEST_STEP, max: 6_000 }),
        fc.double({ min: 0, max: 5_000, noNaN: true }),
        (step, cost) => {
          const next = after(step, cost);
          assert.ok(
            next >= Math.max(SMALLEST_STEP, step / 2 - 1) && next <= Math.min(6_000, step * 2),
            `${step}, ${cost} ms: ${next}`,
          );
        },
      ),
    );
  });

  it('keep up with an end that is drawn anew each time', () => {
    assert.ok(after(SMALLEST_STEP, 100, { openLength: 80_000 }) >= 20_000);
  });

  it('come to the end of a long text in some dozen frames, also where every one is late', () => {
    let left = 100_000;
    let step = SMALLEST_STEP;
    let frames = 0;
    for (; left > 0; frames++) {
      left -= step;
      step = after(step, 200, { left });
    }
    assert.ok(frames < 60, `${frames} frames`);
  });

  it('show a text that was complete at once, up to some screens', () => {
    assert.ok(firstStep(false) > 5 * firstStep(true));
  });
});

describe('parts of a long text', () => {
  it('never move a block from one part into another while the text grows', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 20, maxLength: 60 }), (cuts) => {
        const parser = createBlockParser();
        const { draw } = createPartDrawing();
        const home = new Map<unknown, number>();
        let at = 0;
        for (const cut of cuts) {
          at += cut;
          const parsed = parser.update(answer.slice(0, at));
          for (const { key, blocks } of partsOf(draw(parsed, true))) {
            for (const block of blocks) {
              if ((block.key as number) >= parsed.closed.length) continue;
              assert.equal(home.get(block.key) ?? key, key);
              home.set(block.key, key);
            }
          }
        }
        assert.ok(home.size > 0 || at < section(0).length);
      }),
      { numRuns: 30 },
    );
  });

  it('hold every block once and in order', () => {
    const parsed = createBlockParser().finish(answer);
    const parts = partsOf(createPartDrawing().draw(parsed, false));
    assert.ok(parts.length > 5);
    assert.deepEqual(
      parts.flatMap(({ blocks }) => blocks.map(({ key }) => key)),
      [...parsed.closed, ...parsed.open].map((_, index) => index),
    );
  });

  it('rest only once they were drawn whole, and are then the same nodes', () => {
    const parser = createBlockParser();
    const { draw } = createPartDrawing();
    const parsed = parser.update(answer);
    const first = draw(parsed, true);
    assert.deepEqual(
      partsOf(first).filter(({ known }) => known),
      [],
    );
    const second = draw(parsed, true);
    assert.deepEqual(
      partsOf(second).map(({ known }) => known),
      second.map((_, index) => index < second.length - 1),
    );
    const third = draw(parser.update(`${answer}More.`), true);
    assert.equal(third[0], second[0]);
    assert.notEqual(third.at(-1), second.at(-1));
  });

  it('are places while much is left, as high as their text asks for, and are filled from the end up', () => {
    const parser = createBlockParser();
    const drawing = createPartDrawing();
    const heightOf = (characters: number): number => characters / 2;
    const isPlace = ({ props }: VNode): boolean => (props as { children?: unknown }).children === undefined;
    const half = answer.slice(0, answer.length / 2);
    const early = drawing.draw(parser.update(half), true, { far: { heightOf } });
    assert.deepEqual(
      early.map(isPlace),
      early.map((_, index) => index < early.length - 1),
      'all but the open one',
    );
    const heights = early
      .filter(isPlace)
      .map(({ props }) => parseFloat((props as unknown as { style: { height: string } }).style.height));
    const text = heights.reduce((sum, height) => sum + height, 0) * 2;
    assert.ok(text > half.length * 0.7 && text < half.length, `${text} of ${half.length} characters`);

    const places = early.filter(isPlace).length;
    for (let left = places; left > 0; left--) {
      assert.ok(drawing.hasPlaces());
      const nodes = drawing.draw(parser.update(answer), true);
      assert.deepEqual(
        nodes.map(isPlace),
        nodes.map((_, index) => index < left),
      );
      drawing.fillOne();
    }
    assert.ok(!drawing.hasPlaces());
    const whole = drawing.draw(parser.finish(answer), false);
    assert.deepEqual(
      partsOf(whole).map(({ key, blocks }) => [key, blocks.map((block) => block.key)]),
      partsOf(createPartDrawing().draw(createBlockParser().finish(answer), false)).map(({ key, blocks }) => [
        key,
        blocks.map((block) => block.key),
      ]),
      'the same parts as those of a text that came slowly',
    );
  });
});
