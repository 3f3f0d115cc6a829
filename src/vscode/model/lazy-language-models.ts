// VS Code's own models: their code is loaded, and their changes are followed, from the first need on.
import * as vscode from 'vscode';
import { type FittedModel, type LanguageModelClient } from './language-models';

/** VS Code may have to start an extension before it knows its models. */
const listMs = 3_000;

export class LazyLanguageModels implements vscode.Disposable {
  readonly #changed: () => void;
  #loading: Promise<LanguageModelClient> | undefined;
  #loaded: LanguageModelClient | undefined;
  #listens: vscode.Disposable | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Undefined before the first need. */
  get loaded(): LanguageModelClient | undefined {
    return this.#loaded;
  }

  load(): Promise<LanguageModelClient> {
    this.#listens ??= vscode.lm.onDidChangeChatModels(() => {
      this.#loaded?.changed();
      this.#changed();
    });
    this.#loading ??= Promise.all([import('./language-model-client'), import('./host-chat-models')]).then(
      ([{ createLanguageModelClient }, { hostChatModels }]) =>
        (this.#loaded = createLanguageModelClient(hostChatModels)),
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  /** Whether there is a model that Deft can use. */
  async any(): Promise<boolean> {
    try {
      return (await (await this.load()).listModels(AbortSignal.timeout(listMs))).length > 0;
    } catch {
      return false;
    }
  }

  /** The wanted model where there is one of that name, else VS Code's usual one. */
  async fit(wanted: string): Promise<FittedModel> {
    const slow = new Promise<undefined>((give) => setTimeout(() => give(undefined), listMs).unref());
    const chosen = await Promise.race([this.load().then((models) => models.chosen(wanted)), slow]).catch(
      () => undefined,
    );
    return chosen === undefined ? { id: wanted, replaced: false } : { id: chosen.id, replaced: !chosen.named };
  }

  dispose(): void {
    this.#listens?.dispose();
  }
}
