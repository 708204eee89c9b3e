const PAGE = 500;

/** Records by their reference in another system, for those that have one: all pages of a list. */
export async function byReference<Kept>(
  list: (page: { readonly skip: number; readonly take: number }) => Promise<readonly Kept[]>,
  referenceOf: (record: Kept) => string | undefined,
): Promise<Map<string, Kept>> {
  const found = new Map<string, Kept>();
  for (let skip = 0; ; skip += PAGE) {
    const records = await list({ skip, take: PAGE });
    for (const record of records) {
      const reference = referenceOf(record);
      if (reference !== undefined) found.set(reference, record);
    }
    if (records.length < PAGE) return found;
  }
}
