// Sentences for the model that name tools: only those that its session offers stay in them.

export type Offers = (tool: string) => boolean;

/** A text that is known once it is known which tools there are. */
export type Words = string | ((offers: Offers) => string);

/** Stands for a value while the text around it is read: what a value says is never taken for a part of the template. */
const placeholder = /\uE000(\d+)\uE001/g;

/**
 * A template. `{{Grep: … }}` stays where Grep is offered, `{{!Grep: … }}` where it is not, `{{Read, !Edit: … }}` where all of that holds,
 * `{{Read|!Bash: … }}` where some of it does. `{{Read, Grep}}` and `{{Read or Grep}}` list those of them that are offered. A part may hold a list and values.
 */
export function words(strings: TemplateStringsArray, ...values: readonly (Words | number)[]): Words {
  const template = strings.map((part, index) => (index === 0 ? part : `\uE000${index - 1}\uE001${part}`)).join('');
  const rendered = (offers: Offers): string =>
    offeredText(template, offers).replace(placeholder, (_mark, index: string) => {
      const value = values[Number(index)]!;
      return typeof value === 'number' ? String(value) : said(value, offers);
    });
  // Where it becomes a text by mistake, it names no tool.
  return Object.assign(rendered, { toString: () => rendered(() => false) });
}

export function said(text: Words, offers: Offers = () => true): string {
  return typeof text === 'string' ? text : text(offers);
}

/** A prompt that is a template. Points of a list of which nothing is left go with their line. */
export function offeredText(template: string, offers: Offers): string {
  const listed = template.replace(/\{\{([A-Z]\w*(?:(?:, | or )[A-Z]\w*)*)\}\}/g, (_part, names: string) =>
    listText(names.split(/, | or /).filter(offers), names.includes(' or ') ? 'or' : 'and'),
  );
  const dropped = '\uE002';
  const kept = listed.replace(
    /\{\{(!?[A-Z]\w*(?:(?:, |\|)!?[A-Z]\w*)*): ((?:[^{}]|\{(?!\{)|\}(?!\}))*)\}\}/g,
    (_part, names: string, text: string) => (holds(names, offers) ? text : dropped),
  );
  return kept.replace(/^[-*] \uE002+\s*\n?/gm, '').replaceAll(dropped, '');
}

function holds(condition: string, offers: Offers): boolean {
  const isTrue = (name: string): boolean => (name.startsWith('!') ? !offers(name.slice(1)) : offers(name));
  return condition.includes('|') ? condition.split('|').some(isTrue) : condition.split(', ').every(isTrue);
}

function listText(names: readonly string[], last: 'and' | 'or'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}
