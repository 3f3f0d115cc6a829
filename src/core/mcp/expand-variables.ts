// Puts variables into the text of a server's entry: `${NAME}` and `${NAME:-default}`. Credentials of Deft are never put in.
import { isCredentialVariable } from '../text/credentials';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What cannot be substituted stays as it is written, and `missing` receives its name. */
export function expandVariables(
  text: string,
  variables: Variables,
  missing: (name: string, isCredential: boolean) => void,
): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (whole, name: string, fallback: string | undefined) => {
    const isCredential = isCredentialVariable(name);
    const value = isCredential ? undefined : variables[name];
    // As in a shell, an empty one takes the default too.
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value !== undefined) return value;
    missing(name, isCredential);
    return whole;
  });
}
