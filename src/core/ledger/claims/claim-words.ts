// What sentences about checks look like in each language, as patterns. To support another language, add a table and list it here.
import { type CheckKind } from '../../../shared/ledger';
import { eastern } from './eastern-words';
import { english } from './english-words';
import { european } from './european-words';

interface ReadWords {
  hint: RegExp;
  claims: readonly (readonly [CheckKind | 'checks', RegExp])[];
  before: RegExp;
  after: RegExp;
  failure: RegExp;
  noFailure: RegExp;
  scope: RegExp;
}

export const claimWords: readonly ReadWords[] = [english, ...european, ...eastern].map((table) => ({
  claims: table.claims.map(([kind, pattern]) => [kind, new RegExp(pattern, 'iu')] as const),
  hint: new RegExp(table.hint, 'iu'),
  before: new RegExp(table.before, 'iu'),
  after: new RegExp(table.after, 'iu'),
  failure: new RegExp(table.failure, 'iu'),
  noFailure: new RegExp(table.noFailure, 'giu'),
  scope: new RegExp(table.scope, 'iu'),
}));

/** Texts without any of these say nothing about checks: most are left out at once. */
export const mayClaim =
  /pass|succe|green|clean|compil|build|lint|type|fail|test|✅|✓|✔|прош|проход|зел|успеш|тест|测试|測試|通过|通過|テスト|테스트|prueba|verde|vert|grün|bestanden|erfolg/iu;
