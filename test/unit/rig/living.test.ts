// The account of what an API has given out: what is disposed or closed is gone, what is frozen is counted too.
import assert from 'node:assert/strict';
import { counted, leaked, LivingThings } from '../../integration/living';

const api = () => {
  const disposed: string[] = [];
  const made = (name: string) => ({ name, dispose: () => void disposed.push(name) });
  let close = (): void => undefined;
  return {
    disposed,
    close: () => close(),
    window: {
      createPanel: () => ({ ...made('panel'), onDidDispose: (listener: () => void) => (close = listener) }),
      createDecoration: () => Object.freeze(made('decoration')),
      get onDidOpen() {
        return (listener: () => void) => ({ ...made('listener'), listener });
      },
      showMessage: () => made('message'),
      createNothing: () => undefined,
    },
    Emitter: class {
      fired = 0;
      dispose(): void {
        disposed.push(`emitter ${this.fired}`);
      }
    },
  };
};

describe('the account of living things', () => {
  it('holds what is made until it is disposed or closed', () => {
    const one = api();
    const things = new LivingThings();
    assert.equal(things.watch(one, ['window', 'absent'], ['Emitter']), 5);
    one.window.createPanel();
    const decoration = one.window.createDecoration();
    const listener = one.window.onDidOpen(() => undefined);
    const emitter = new one.Emitter();
    one.window.showMessage();
    one.window.createNothing();
    assert.deepEqual(
      things.all().map(({ kind }) => kind),
      ['window.createPanel', 'window.createDecoration', 'window.onDidOpen', 'Emitter'],
    );
    assert.ok(
      things.all().every(({ site }) => site.includes('living.test')),
      JSON.stringify(things.all()),
    );
    one.close();
    emitter.fired = 3;
    for (const each of [decoration, listener, emitter]) each.dispose();
    assert.deepEqual(things.all(), []);
    assert.deepEqual(one.disposed, ['decoration', 'listener', 'emitter 3']);
    assert.ok(emitter instanceof one.Emitter);
  });

  it('tells what becomes more from count to count, and not what is made once', () => {
    const at = (...sites: string[]) => counted(sites.map((site) => ({ kind: 'on', site })));
    assert.deepEqual(leaked([at('a'), at('a', 'b', 'b'), at('a', 'b', 'b')]), []);
    assert.deepEqual(leaked([at('a'), at('a', 'a'), at('a')]), []);
    assert.deepEqual(leaked([at('a'), at('a', 'b'), at('a', 'a', 'b', 'b', 'b')]), ['1 × on a', '2 × on b']);
    assert.deepEqual(leaked([]), []);
  });
});
