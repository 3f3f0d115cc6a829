// Keeps account of what an API has given out and nobody has disposed: listeners, registrations, panels, terminals, watchers, emitters.

/** One thing that was made, by the name of what made it. */
export interface Living {
  /** Such as `workspace.onDidChangeTextDocument`. */
  readonly kind: string;
  /** Where it was made: the first place in the code that is not this file. */
  readonly site: string;
}

interface Disposable {
  dispose(...args: unknown[]): unknown;
  onDidDispose?: (listener: () => void) => unknown;
}
type Fields = Record<string, unknown>;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type AnyClass = new (...args: unknown[]) => Disposable;

const makes = /^(create|register|on(Did|Will)|set[A-Z]\w*Bar|show\w*Terminal)/;

export class LivingThings {
  readonly #living = new Map<object, Living>();

  /** From now on, what the functions and the listed classes of this API make is counted. Returns how many it watches. */
  watch(api: object, namespaces: readonly string[], classes: readonly string[] = []): number {
    let watched = 0;
    for (const name of namespaces) {
      const namespace = (api as Fields)[name];
      if (typeof namespace === 'object' && namespace !== null) watched += this.#watchNamespace(namespace, name);
    }
    for (const name of classes) {
      const made = this.#class((api as Fields)[name] as AnyClass, name);
      Object.defineProperty(api, name, { value: made, configurable: true, enumerable: true, writable: true });
      watched++;
    }
    return watched;
  }

  /** What is there now. */
  all(): Living[] {
    return [...this.#living.values()];
  }

  #watchNamespace(namespace: object, name: string): number {
    const made = Object.entries(Object.getOwnPropertyDescriptors(namespace)).filter(([key]) => makes.test(key));
    for (const [key, { value, get }] of made) {
      const kind = `${name}.${key}`;
      const wrapped =
        get === undefined
          ? { value: this.#function(value as AnyFunction, kind), writable: true }
          : { get: () => this.#function(get.call(namespace) as AnyFunction, kind) };
      Object.defineProperty(namespace, key, { ...wrapped, configurable: true, enumerable: true });
    }
    return made.length;
  }

  #function(original: AnyFunction, kind: string): AnyFunction {
    const add = (made: unknown): unknown => this.#add(made, kind, wrapped);
    const wrapped: AnyFunction = function (...args) {
      return add(original.apply(this, args));
    };
    return wrapped;
  }

  #class(original: AnyClass, kind: string): AnyClass {
    const construct = (target: AnyClass, args: unknown[], newTarget: unknown): object =>
      this.#add(Reflect.construct(target, args, newTarget as AnyClass), kind, construct) as object;
    return new Proxy(original, { construct });
  }

  /** `by` was called where the thing was made. */
  #add(made: unknown, kind: string, by: (...args: never[]) => unknown): unknown {
    if (typeof made !== 'object' || made === null || typeof (made as Fields)['dispose'] !== 'function') return made;
    const living = this.#living;
    const thing = made as Disposable;
    living.set(thing, { kind, site: callerOf(by) });
    const { dispose } = thing;
    // A panel or terminal that the user closes is gone, too.
    thing.onDidDispose?.(() => living.delete(thing));
    const disposed = function (this: unknown, ...args: unknown[]): unknown {
      living.delete(thing);
      return dispose.apply(thing, args);
    };
    const own = { value: disposed, configurable: true, writable: true };
    if (!Object.isFrozen(thing)) return Object.defineProperty(thing, 'dispose', own);
    // What is frozen is read through one that has its own way to be disposed.
    return Object.create(thing, { dispose: own });
  }
}

/** How many there are of each kind and place. */
type Counts = ReadonlyMap<string, number>;

export function counted(all: readonly Living[]): Counts {
  const counts = new Map<string, number>();
  for (const { kind, site } of all) counts.set(`${kind} ${site}`, (counts.get(`${kind} ${site}`) ?? 0) + 1);
  return counts;
}

/**
 * What has become more, from count to count. What a place makes when it is first needed stays, perhaps several at once (a row of commands);
 * what is more than that at the end was made again and not disposed.
 */
export function leaked(counts: readonly Counts[]): string[] {
  return [...(counts.at(-1) ?? [])].flatMap(([name, there]) => {
    const first = counts.find((count) => count.has(name))?.get(name) ?? 0;
    return there > first ? [`${there - first} × ${name}`] : [];
  });
}

function callerOf(called: (...args: never[]) => unknown): string {
  const error = new Error();
  Error.captureStackTrace(error, called);
  return (
    (error.stack ?? '')
      .split('\n')
      .find((line) => /^\s+at /.test(line))
      ?.trim() ?? 'somewhere'
  );
}
