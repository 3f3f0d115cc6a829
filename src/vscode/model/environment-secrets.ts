// The secrets of several environments, worked out again only when one of them has changed: each result of a tool asks for them.
import { type NamedSecret, secretVariables, type Variables } from '../../core/text/secret-variables';

/** An environment that changed is another object. The same variable may have another value in each. */
export function environmentSecrets(
  environments: () => readonly Variables[],
  visible: () => readonly string[] | undefined,
): () => readonly NamedSecret[] {
  let last: { from: readonly unknown[]; secrets: readonly NamedSecret[] } | undefined;
  return () => {
    const present = environments();
    const shown = visible();
    const from = [...present, shown];
    if (last?.from.length !== from.length || last.from.some((one, index) => one !== from[index])) {
      const found = present.flatMap((environment) => secretVariables(environment, shown));
      const unlike = new Map(found.map((secret) => [JSON.stringify([secret.name, secret.value]), secret]));
      last = { from, secrets: [...unlike.values()] };
    }
    return last.secrets;
  };
}
