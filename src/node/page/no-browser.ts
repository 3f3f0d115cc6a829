// Why no page can be opened: told to the user and the model, where every other error is a fault.

/** `message` is a sentence for the user and the model. */
export class NoBrowser extends Error {}
