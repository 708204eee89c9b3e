import type { Fields, Post } from './post.ts';

/** What people type into the form of a website; every value is text. */
export interface Lead {
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly phone: string;
  readonly zip: string;
  readonly squareFeet: string;
  readonly hasDogs: 'True' | 'False';
  readonly noTexts: 'true' | 'false' | '';
}

/** Sends a lead, and returns its id where the answer has one; the form looks at nothing else. */
export async function sendLead(post: Post, lead: Lead): Promise<unknown> {
  const contact: Fields = {
    Name: `${lead.first} ${lead.last}`,
    Email: lead.email,
    Phone: lead.phone,
    Address2: '',
    Zip: lead.zip,
    LeadSource: 'Website',
    Category: 'Prospect',
    UtmSource: '',
    UtmMedium: '',
    UtmCampaign: '',
    DoNotText: lead.noTexts,
    DoNotEmail: '',
    CustomFields: [
      { Name: 'Square feet', Value: lead.squareFeet },
      { Name: 'Has dogs', Value: lead.hasDogs },
    ],
  };
  const response = await post('contacts/addupdate', { Matches: [contact], DistributeLead: true });
  const { Matches } = (await response.json()) as { Matches?: { Id?: unknown }[] };
  return Matches?.[0]?.Id;
}
