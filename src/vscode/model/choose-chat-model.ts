// Which of VS Code's models answers: the one that a name stands for, or the default for users who named none.
import { vscodeModelId } from '../../core/model/vscode-models';

export interface ListedChatModel {
  vendor: string;
  id: string;
  family: string;
  name: string;
}

/** As Deft writes it, `vendor/id`, the id, the family or the shown name; for a model of the vendor's API its namesake, else the newest of its line. */
export function namedChatModel<Model extends ListedChatModel>(
  models: readonly Model[],
  name: string,
): Model | undefined {
  const same = normal(name);
  const exact = models.find((model) => deftId(model) === name);
  return (
    exact ?? models.find((model) => names(model).some((one) => normal(one) === same)) ?? newestOfLine(models, name)
  );
}

/** The newest Sonnet: plans count an Opus several times. Then any Claude, then what is first. */
export function usualChatModel<Model extends ListedChatModel>(models: readonly Model[]): Model | undefined {
  const claude = models.filter((model) => /claude/i.test(`${model.family} ${model.id}`));
  return newest(claude.filter((model) => /sonnet/i.test(model.id))) ?? newest(claude) ?? models[0];
}

export function deftId({ vendor, id }: Pick<ListedChatModel, 'vendor' | 'id'>): string {
  return vscodeModelId(vendor, id);
}

/** Small jobs ask for a Haiku; where there is none, for what other vendors call small. */
function newestOfLine<Model extends ListedChatModel>(models: readonly Model[], name: string): Model | undefined {
  const line = /^claude-(opus|sonnet|haiku|fable)\b/.exec(name)?.[1];
  if (line === undefined) return undefined;
  const found = newest(models.filter((model) => normal(model.id).includes(line)));
  return (
    found ??
    (line === 'haiku'
      ? models.find((model) => /\b(mini|flash|small|nano|lite)\b/i.test(`${model.id} ${model.name}`))
      : undefined)
  );
}

const names = (model: ListedChatModel): string[] => [`${model.vendor}/${model.id}`, model.id, model.family, model.name];

/** Dots, dashes and dates of one name differ from vendor to vendor. */
function normal(name: string): string {
  return name
    .toLowerCase()
    .replace(/-\d{8}$/, '')
    .replaceAll(/[\s._-]+/g, '-');
}

function newest<Model extends ListedChatModel>(models: readonly Model[]): Model | undefined {
  return [...models].sort((a, b) => rank(b) - rank(a))[0];
}

/** By the first two numbers in the id; longer ones are dates. */
function rank({ id }: ListedChatModel): number {
  const [major = 0, minor = 0] = (id.match(/(?<!\d)\d{1,2}(?!\d)/g) ?? []).map(Number);
  return major * 100 + minor;
}
