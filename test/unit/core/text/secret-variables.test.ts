// Which environment variables look like credentials, and which do not.
import assert from 'node:assert/strict';
import { namesVariable, secretVariables, withheldVariables } from '../../../../src/core/text/secret-variables';

const found = (environment: Record<string, string>): string[] =>
  secretVariables(environment).map(({ name, value, besideName }) => `${name}=${value}${besideName ? ' (beside)' : ''}`);

describe('variables that look like credentials', () => {
  const names = [
    'GITHUB_TOKEN',
    'TOKEN',
    'NPM_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'DB_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SMTP_PASS',
    'STRIPE_API_KEY',
    'apiKey',
    'MY_APIKEY',
    'SSH_PRIVATE_KEY',
    'CLIENT_SECRET',
    'SECRET_KEY_BASE',
    'REDISCLI_AUTH',
    'GITLAB_PAT',
    'SESSION_COOKIE',
    'AZURE_CREDENTIALS',
    'GPG_PASSPHRASE',
    'npm_config_//registry.example.org/:_authToken',
    'AZURE_STORAGE_CONNECTION_STRING',
    'ACME_TOKEN_2',
  ];
  for (const name of names)
    it(`by name: ${name}`, () => assert.deepEqual(found({ [name]: 'x7-Qp!vv9' }), [`${name}=x7-Qp!vv9`]));

  const shapes: Record<string, string> = {
    'a GitHub token': 'ghp_0123456789abcdefghijABCDEFGHIJ456789',
    'an OpenAI or Anthropic key': 'sk-proj-0123456789abcdefABCDEF',
    'an AWS access key': 'AKIAIOSFODNN7EXAMPLE',
    'a Slack token': 'xoxb-123456789012-abcdefABCDEF',
    'a Google key': 'AIzaSyA0123456789abcdefghijklmnopqrstuv',
    'a JSON Web Token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'a private key': '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
    'long and random': 'q7Fz2Lk9Xw4Tb8Nc1Vd6Rm3Hs5Jp0Gy7Ae',
  };
  for (const [name, value] of Object.entries(shapes))
    it(`by shape: ${name}`, () => assert.deepEqual(found({ ANY_SETTING: value }), [`ANY_SETTING=${value}`]));

  it('of an address, its password alone', () => {
    assert.deepEqual(
      found({
        DATABASE_URL: 'postgres://app:s3cr3t%21pw@db.example.org:5432/app',
        SENTRY_DSN: 'https://0123456789abcdef0123456789abcdef@sentry.example.org/42',
      }),
      ['DATABASE_URL=s3cr3t%21pw', 'DATABASE_URL=s3cr3t!pw', 'SENTRY_DSN=0123456789abcdef0123456789abcdef'],
    );
  });

  it('in a longer value, the part that has the shape', () => {
    assert.deepEqual(found({ GIT_CONFIG_VALUE_0: 'AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hz' }), [
      'GIT_CONFIG_VALUE_0=eC1hY2Nlc3MtdG9rZW46Z2hz',
    ]);
  });

  it('short values and ordinary words are hidden beside their name only', () => {
    assert.deepEqual(
      found({
        DB_PASSWORD: 'postgres',
        JWT_SECRET: 'dev-secret-key',
        PIN_PASSWORD: 'a1b2',
        ROOT_PASSWORD: 'changeme123',
      }),
      [
        'DB_PASSWORD=postgres (beside)',
        'JWT_SECRET=dev-secret-key (beside)',
        'PIN_PASSWORD=a1b2 (beside)',
        'ROOT_PASSWORD=changeme123 (beside)',
      ],
    );
  });

  it('are none of what a machine usually has', () => {
    assert.deepEqual(
      found({
        PWD: '/home/user/project',
        OLDPWD: '/home/user',
        SSH_AUTH_SOCK: '/tmp/ssh-XXXXabcdef12/agent.1234',
        GIT_ASKPASS: '/usr/lib/code/askpass.sh',
        GOOGLE_APPLICATION_CREDENTIALS: '/home/user/.config/gcloud/key.json',
        KEYBOARD: 'de-latin1-nodeadkeys',
        TOKENIZERS_PARALLELISM: 'false',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '32000',
        CACHE_KEY: 'deps-linux-x64-0123456789',
        GPG_KEY: 'E3FF2839C048B25C084DEBE9B26995E310250568',
        GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
        BUILD_UUID: '123e4567-e89b-12d3-a456-426614174000',
        TERM_SESSION_ID: 'w0t0p0:6A5B1F2E-0C1D-4E5F-8A9B-0123456789AB',
        TOKEN_URL: 'https://auth.example.org/token',
        SECRET_NAME: 'projects/app/secrets/db',
        PASSWORD_STORE_DIR: '/home/user/.password-store',
        NIX_PATH: '/nix/store/0c3kz5m1yq9v8x7w6b5a4-nixpkgs/share',
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
        LS_COLORS: 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35',
        HOMEPAGE: 'https://user@example.org/about',
        LANG: 'en_US.UTF-8',
      }),
      [],
    );
  });

  it('are not those that the user lets be seen, nor the credentials of Deft itself', () => {
    const environment = { NPM_TOKEN: 'abcdefgh1', OTHER_TOKEN: 'ijklmnop2', ANTHROPIC_API_KEY: 'qrstuvwx3' };
    assert.deepEqual(
      secretVariables(environment, ['NPM_TOKEN']).map(({ name }) => name),
      ['OTHER_TOKEN'],
    );
  });
});

describe('variables that a process does not inherit', () => {
  it('are those that look like credentials, and copies of their values', () => {
    assert.deepEqual(
      withheldVariables({
        GH_TOKEN: 'x7-Qp!vv9-0123456789',
        COPY: 'token x7-Qp!vv9-0123456789',
        DB_PASSWORD: 'postgres',
        HTTPS_PROXY: 'http://user:s3cr3t-pw1@proxy.example.org',
        GIT_CONFIG_VALUE_0: 'AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hz',
        PATH: '/bin',
      }),
      ['COPY', 'GH_TOKEN'],
    );
  });

  it('is named where the name stands alone', () => {
    for (const text of ['echo $GH_TOKEN', '${GH_TOKEN:-}', 'process.env.GH_TOKEN', '"GH_TOKEN": "x"', 'GH_TOKEN'])
      assert.ok(namesVariable(text, 'GH_TOKEN'), text);
    for (const text of ['', 'MY_GH_TOKEN', 'GH_TOKENS', 'gh_token']) assert.ok(!namesVariable(text, 'GH_TOKEN'), text);
  });
});
