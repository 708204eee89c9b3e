/** Why a calendar cannot be read, as a sentence that names neither its address nor what is in it. */
export class FeedError extends Error {}
