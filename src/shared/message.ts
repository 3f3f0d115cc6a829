// What defines a message of the webview: its input, what the user reads where it fails, and, for a request, the type of its answer.
import { z } from 'zod/v3';

export interface Notification<Shape extends z.ZodRawShape = z.ZodRawShape> {
  kind: 'notification';
  input: z.ZodObject<Shape>;
  /** The title of the notice where the handler fails. */
  failed: string;
}

export interface Request<Shape extends z.ZodRawShape = z.ZodRawShape, Answer = unknown> {
  kind: 'request';
  input: z.ZodObject<Shape>;
  failed: string;
  /** The user is notified even where the input is not valid: they wrote it into a card that waits for an answer. */
  ofCard: boolean;
  /** Never set: it holds the type. */
  answer?: Answer;
}

export type Message = Notification | Request;
export type Messages = Readonly<Record<string, Message>>;

export type InputOf<Definition extends Message> = z.infer<Definition['input']>;
export type AnswerOf<Definition extends Message> = Definition extends { kind: 'request'; answer?: infer Answer }
  ? Answer
  : void;

/** Nothing is answered. */
export function notification<Shape extends z.ZodRawShape>(shape: Shape, failed: string): Notification<Shape> {
  return { kind: 'notification', input: z.object(shape), failed };
}

/** `request({ … }, '…').answeredBy<Answer>()`: the handler in the host has to return that type, and the webview awaits it. */
export function request<Shape extends z.ZodRawShape>(
  shape: Shape,
  failed: string,
): { answeredBy: <Answer>() => Request<Shape, Answer> } {
  return {
    answeredBy: () => ({ kind: 'request', input: z.object(shape), failed, ofCard: false }),
  };
}

/** The user's answer to a card. Where it fails, the card waits again. */
export function answerToCard<Shape extends z.ZodRawShape>(shape: Shape): Request<Shape, void> {
  return { kind: 'request', input: z.object(shape), failed: 'Your answer was not accepted.', ofCard: true };
}
