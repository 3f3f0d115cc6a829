// In how many files a thing stands: what a newcomer touches to add one like it.
import { filesBelow, readSource } from '../unit/tidy/source-files';

export interface Example {
  /** What is added. */
  change: string;
  /** One that is there, by a name that nothing else has. */
  example: string;
  name: RegExp;
  /** Folders and files in which it is looked for. */
  places: readonly string[];
  goal: number;
}

const code = ['src', 'webview-ui'];

export const examples: readonly Example[] = [
  {
    change: 'a session feature',
    example: '/goal',
    name: /\bgoal[A-Z]\w*|[a-z]Goal\b|'\/?goal'|\/goal\b/,
    places: code,
    goal: 8,
  },
  {
    change: 'a message there and back',
    example: 'loadOutput',
    name: /\bloadOutput\b/,
    places: code,
    goal: 3,
  },
  {
    change: 'a visible setting',
    example: 'deft.diagnostics.delay',
    name: /diagnostics\.delay/,
    // Without the translations.
    places: [...code, 'docs', 'package.json', 'package.nls.json'],
    goal: 6,
  },
];

/** The files in which an example stands. */
export function filesNaming({ name, places }: Pick<Example, 'name' | 'places'>): string[] {
  return places
    .flatMap((place) => (/\.\w+$/.test(place) ? [place] : filesBelow(place)))
    .filter((file) => /\.(tsx?|md|json|css|mjs)$/.test(file))
    .filter((file) => name.test(file) || name.test(readSource(file).text));
}
