/** What a client got, as `/inbox.json` lists it. */
export interface InboxEntry {
  /** `''` for what is not about a record, such as a test of `fs messages test`. */
  readonly Kind: string;
  readonly Channel: 'Email' | 'Text';
  readonly To: string;
  /** `''` for a text. */
  readonly Subject: string;
  readonly Text: string;
  /** `''` for a text. */
  readonly Html: string;
  readonly Attachments: readonly {
    readonly Filename: string;
    readonly ContentType: string;
    /** Base64. */
    readonly Content: string;
  }[];
  readonly At: string;
}
