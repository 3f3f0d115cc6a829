// What a project would allow: which of it the user has agreed to, and which waits for their answer.
import { type Grant } from '../../core/settings/grant-text';
import { type Agreements } from './agreements';

export interface ProjectGrantsOptions {
  agreements: Agreements;
  /** What the settings files that were read last would grant and the user has not agreed to. */
  ofSettings(): readonly Grant[];
  /** After the user's answer: what they agreed to counts from now on. */
  answered(): Promise<void>;
  /** More waits than before. */
  noted(): void;
}

export class ProjectGrants {
  readonly #options: ProjectGrantsOptions;
  #noted: readonly Grant[] = [];

  constructor(options: ProjectGrantsOptions) {
    this.#options = options;
  }

  /** What waits, also what the user did not want before. */
  waiting(): Grant[] {
    return [...this.#options.ofSettings(), ...this.#noted.filter((grant) => !this.agreed(grant))];
  }

  /** What waits and the user was never asked about. */
  unasked(): Grant[] {
    return this.waiting().filter((grant) => !this.#options.agreements.declined(grant));
  }

  /** The user has agreed to it. */
  agreed(grant: Grant): boolean {
    return this.#options.agreements.agreed(grant);
  }

  async answer(grants: readonly Grant[], agreed: boolean): Promise<void> {
    await this.#options.agreements.answer(grants, agreed);
    await this.#options.answered();
  }

  /** What else of the project would allow more, such as a skill: it waits with that of the settings. */
  note(grants: readonly Grant[]): void {
    const fresh = grants.filter(
      (grant) => !this.#noted.some(({ root, text }) => root === grant.root && text === grant.text),
    );
    if (fresh.length === 0) return;
    this.#noted = [...this.#noted, ...fresh];
    this.#options.noted();
  }
}
