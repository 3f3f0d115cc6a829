// Which environment variables look like credentials, by their name and by the shape of their value, and what of each is secret.
import { credentialValues, isCredentialVariable } from './credentials';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What is in texts for the value of a variable. */
export interface NamedSecret {
  name: string;
  value: string;
  /** Short values and ordinary words would blot out other text: they are hidden only where the name precedes them. */
  besideName: boolean;
}

/** Words that mean a credential wherever they are in a name; then those that do so at its end, behind another word. */
const anywhere = /^(?:TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|PRIVATEKEY|ACCESSKEY|AUTHTOKEN)$/;
const atEnd = /^(?:TOKENS|PASS|PWD|PW|KEY|KEYS|AUTH|COOKIE|PAT|JWT|DSN|CONNSTR)$/;
/** What is said about a credential, not the credential. */
const about =
  /^(?:FILE|FILES|PATH|PATHS|DIR|FOLDER|URL|URI|URLS|ENDPOINT|HOST|PORT|NAME|NAMES|ID|IDS|TYPE|SOCK|SOCKET|COUNT|LIMIT|MAX|MIN|LENGTH|SIZE|TTL|EXPIRY|EXPIRES|EXPIRATION|LIFETIME|TIMEOUT|INTERVAL|SECONDS|VERSION|ALGORITHM|ALG|MODE|METHOD|ENABLED|DISABLED|REQUIRED|HELPER|PROVIDER|PROGRAM|COMMAND|CMD|PROMPT|MANAGER|STORE|BACKEND|USER|USERNAME|EMAIL|REGION|HEADER|ISSUER|AUDIENCE|SCOPE|SCOPES|RING|FINGERPRINT|POLICY|PREFIX|PARALLELISM|TAG)$/;
/** Before `KEY`: it opens nothing. */
const harmlessKey = /^(?:PUBLIC|PUB|CACHE|SORT|PRIMARY|PARTITION|FOREIGN|GPG|HOST|ROUTING|GROUP|COMPOSE)$/;
const harmlessNames = /^(?:PWD|OLDPWD|SSH_ASKPASS|GIT_ASKPASS|SUDO_ASKPASS|INIT_CWD)$/;

/** Known beginnings of keys, private keys, tokens in three parts; found inside longer values too. */
const knownShapes = new RegExp(
  [
    '-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\\s\\S]+?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)',
    '\\beyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*',
    '\\bgithub_pat_\\w{20,}',
    '\\bgh[opusr]_\\w{20,}',
    '\\bgl(?:pat|ptt|rt|dt|cbt|soat|ft|oas)-[\\w.-]{16,}',
    '\\bsk-[\\w-]{16,}',
    '\\b[rs]k_(?:live|test)_\\w{10,}',
    '\\bwhsec_[\\w+/=]{16,}',
    '\\bxox[abeoprs]-[\\w-]{10,}',
    '\\bxapp-[\\w-]{10,}',
    '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b',
    '\\bAIza[\\w-]{30,}',
    '\\bya29\\.[\\w-]{20,}',
    '\\bnpm_[A-Za-z0-9]{30,}',
    '\\bpypi-[\\w-]{20,}',
    '\\bhf_[A-Za-z0-9]{20,}',
    '\\bSG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    '\\bdo[opr]_v1_\\w{20,}',
    '\\bshp(?:at|ss|pa|ca)_\\w{16,}',
    '\\bdckr_(?:pat|oat)_[\\w-]{16,}',
    '\\bATATT[\\w=-]{20,}',
    '\\blin_(?:api|oauth)_\\w{20,}',
    '\\b(?:gsk|r8|figd|rubygems|ntn|glsa|sbp)_[\\w-]{20,}',
    '\\b(?:xai|nvapi|tskey|PMAK)-[\\w-]{20,}',
    '\\bhvs\\.[\\w-]{20,}',
    '\\bAGE-SECRET-KEY-[A-Z0-9]{20,}',
    '\\bhooks\\.slack\\.com/services/[\\w/]{16,}',
    '\\bdiscord(?:app)?\\.com/api/webhooks/[\\w/-]{16,}',
    '(?<=\\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd)=)[^;]{8,}',
    '(?<=[?&]sig=)[\\w%+/=-]{16,}',
    '(?<=\\b(?:[Bb]earer|[Bb]asic)\\s+)\\S{12,}',
    '(?<=(?:_authToken|_password|_auth)=)\\S{8,}',
  ].join('|'),
  'g',
);

/** `scheme://user:password@host`, or a key in place of the user. */
const inAddress = /\b[a-z][a-z0-9+.-]*:\/\/([^\s/?#@:]*):?([^\s/?#@]*)@/gi;

/** Nearly every program needs the proxy to reach anything, and git fails where one of its numbered settings is missing. */
const inherited = /^(?:(?:https?|all|ftp)_proxy|GIT_CONFIG_(?:KEY|VALUE)_\d+)$/i;

const shortest = 8;
/** Shorter values may be in other variables by chance. */
const shortestRepeated = 16;

/** Words of placeholders and samples: a value that consists of them alone is no secret, and stands in much other text. */
const ordinary = new Set(
  'a abc access admin admins an and anonymous any api app apple application auth authentication bar base baz changeit changeme common config credential credentials database db default demo dev develop development disabled docker dummy enabled env environment example examples fake false file foo guest hello here hidden host http https insecure is it key keys letmein local localhost main master me mongo mongodb my mysql name nil no none not null off on oracle pass passphrase password passwd placeholder postgres postgresql prod production public qwerty rabbitmq redacted redis replace required root sample secret secrets server service session set some staging string super supersecret test tester testing tests the this to todo token tokens true undefined unset url user username value web welcome word world xxx yes you your'.split(
    ' ',
  ),
);

/** Sorted by name. `visible`: those that the user lets be seen. Deft's own credentials are not among them: no process gets these. */
export function secretVariables(environment: Variables, visible: readonly string[] = []): NamedSecret[] {
  const shown = new Set(visible);
  const own = new Set(credentialValues(environment));
  return Object.keys(environment)
    .sort()
    .flatMap((name): NamedSecret[] => {
      const value = environment[name];
      if (value === undefined || shown.has(name) || isCredentialVariable(name)) return [];
      return secretParts(name, value)
        .filter((part) => !own.has(part))
        .map((part) => ({ name, value: part, besideName: part.length < shortest || isOrdinary(part) }));
    });
}

/** Names of the variables that a process inherits only if it asks for them. Values that anybody can guess are inherited. */
export function withheldVariables(environment: Variables, visible: readonly string[] = []): string[] {
  const secrets = secretVariables(environment, visible).filter(({ besideName }) => !besideName);
  const names = new Set(secrets.map(({ name }) => name));
  const long = secrets.filter(({ value }) => value.length >= shortestRepeated);
  const repeats = (name: string): boolean => long.some(({ value }) => environment[name]?.includes(value) === true);
  return Object.keys(environment)
    .sort()
    .filter((name) => !inherited.test(name) && !visible.includes(name) && (names.has(name) || repeats(name)));
}

/** The text has the name as a word of its own: `$NAME`, `${NAME}`, `process.env.NAME`. */
export function namesVariable(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + name.length))) return true;
  return false;
}

/** What of a value is secret: all of it under a name for credentials, else what has the shape of one. */
function secretParts(name: string, raw: string): string[] {
  const value = raw.trim();
  if (value === '') return [];
  const shaped = [...(value.match(knownShapes) ?? []), ...[...value.matchAll(inAddress)].flatMap(addressSecret)];
  if (namesSecret(name) && !isPlain(name, value)) {
    // An address says more than its password, and its other parts stand in much other text.
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && shaped.length > 0) return [...new Set(shaped)];
    return [...new Set([value, ...shaped])];
  }
  if (shaped.length > 0) return [...new Set(shaped)];
  return isRandom(value) && !aboutSecret(name) ? [value] : [];
}

function addressSecret([, user = '', password = '']: RegExpMatchArray): string[] {
  const candidates = password === '' ? (user.length >= 16 ? [user] : []) : [password];
  // As it is written there, and as programs decode it.
  return candidates.flatMap((text) => [...new Set([text, decoded(text)])]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `GITHUB_TOKEN`, `DB_PASS`, `npm_config__authToken`, `apiKey`. */
function namesSecret(name: string): boolean {
  if (harmlessNames.test(name)) return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  if (about.test(last)) return false;
  if (/^KEYS?$/.test(last) && harmlessKey.test(words.at(-2) ?? '')) return false;
  const joined = words.join('_');
  return (
    words.some((word) => anywhere.test(word)) ||
    (words.length > 1 && atEnd.test(last)) ||
    /(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY)$/.test(last) ||
    /(?:CONNECTION_STRING|ACCESS_KEY|API_KEY|WEBHOOK)$/.test(joined)
  );
}

function aboutSecret(name: string): boolean {
  return /(?:^|_)(?:ID|IDS|SHA|SHA1|SHA256|HASH|DIGEST|COMMIT|REVISION|CHECKSUM|UUID|VERSION|PATH)$/i.test(name);
}

/** Nothing that a credential could be: a path, a switch, a number, a size. */
function isPlain(name: string, value: string): boolean {
  if (/^(?:true|false|yes|no|on|off|null|none|undefined)$/i.test(value)) return true;
  if (/^\d+(?:\.\d+)?[a-z]{0,2}$/i.test(value)) return value.length < 16 && !/pass|pwd|secret/i.test(name);
  return (
    /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:)/.test(value) &&
    !/\s/.test(value) &&
    !value.split(/[\\/]/).some((part) => isRandom(part, 20))
  );
}

/** Long, of capitals, small letters and digits that change often; no hash, whose letters are of one case. */
function isRandom(value: string, least = 32): boolean {
  if (value.length < least || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return false;
  const kind = (character: string): number => (/\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : 2);
  const kinds = [...value].map(kind);
  const changes = kinds.filter((one, index) => index > 0 && one !== kinds[index - 1]).length;
  return changes >= value.length * 0.35 && !/^[^/]*(?:\/[a-z][a-z.-]*){2}/.test(value);
}

function isOrdinary(value: string): boolean {
  const words = value
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => ordinary.has(word)) && value.replace(/\D/g, '').length <= 4;
}
