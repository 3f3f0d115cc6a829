// What of a project's settings the user has agreed to, by folder: our own record in addition to VS Code's trust.
import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import { type Grant } from '../../core/settings/grant-text';

export interface Agreements {
  agreed(grant: Grant): boolean;
  /** The user was asked and did not want it. */
  declined(grant: Grant): boolean;
  answer(grants: readonly Grant[], agreed: boolean): Promise<void>;
}

/** Fingerprints of grants. */
interface Answers {
  agreed: string[];
  declined: string[];
}

export function createAgreements(state: Pick<Memento, 'get' | 'update'>): Agreements {
  const answersFor = (root: string): Answers => state.get<Answers>(keyOf(root)) ?? { agreed: [], declined: [] };
  return {
    agreed: (grant) => answersFor(grant.root).agreed.includes(fingerprint(grant)),
    declined: (grant) => answersFor(grant.root).declined.includes(fingerprint(grant)),
    async answer(grants, agreed) {
      for (const root of new Set(grants.map((grant) => grant.root))) {
        const answered = new Set(grants.filter((grant) => grant.root === root).map(fingerprint));
        const before = answersFor(root);
        const without = (list: string[]): string[] => list.filter((one) => !answered.has(one));
        const added = [...answered];
        await state.update(keyOf(root), {
          agreed: [...without(before.agreed), ...(agreed ? added : [])],
          declined: [...without(before.declined), ...(agreed ? [] : added)],
        } satisfies Answers);
      }
    },
  };
}

function keyOf(root: string): string {
  return `deft.agreed:${root}`;
}

function fingerprint({ text }: Grant): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}
