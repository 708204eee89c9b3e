import { CLIENT_LINK } from './sentences.ts';
import { addressLines } from './addresses.ts';
import { CustomField } from './custom-fields.ts';
import {
  type FieldsInput,
  type Output,
  date,
  moment,
  decimal,
  described,
  field,
  extension,
  flag,
  id,
  int32,
  list,
  many,
  nested,
  nullable,
  phone,
  required,
  resource,
  text,
} from './fields.ts';
import { through } from './queries.ts';
import { AccountingClassPostalCodes, NamedTaxRate } from './settings.ts';

/** A file of a contact that is not a picture. */
export const ContactDocument = resource('ContactDocument', () => ({
  Id: id(),
  Filename: text(255),
  AppointmentId: nullable(id()),
  Notes: text(),
  CreatedAt: moment(),
  UpdatedAt: moment(),
}));

export const ContactPicture = resource('ContactPicture', () => ({
  Id: id(),
  Filename: text(255),
  Notes: text(),
  AppointmentId: nullable(id()),
  Width: described(int32(0), 'Pixels.'),
  Height: described(int32(0), 'Pixels.'),
  CreatedAt: moment(),
  UpdatedAt: moment(),
}));

/** An open invoice or proposal of a contact; `Link` is its client page. */
export const ServiceDocumentLink = resource('ServiceDocumentLink', () => ({
  Date: date(),
  Service: text(200),
  Link: text(2048),
  Id: id(),
}));

/** 32 hexadecimal digits, in upper or lower case; contacts of before have 22 characters, whose case counts. */
const contactHash = () => {
  const { output, input } = text(64);
  return field(
    output,
    input.overwrite((hash) => (/^\s*[0-9a-f]{32}\s*$/i.test(hash) ? hash.trim().toLowerCase() : hash)),
    [],
  );
};

/** A customer or lead. Computed fields: interface, section 3. */
export const Contact = resource(
  'Contact',
  () => ({
    Id: id(),
    OrganizationId: nullable(id()),
    Hash: described(contactHash(), 'Unguessable public id, for referrals and survey links: 32 hexadecimal digits.'),
    Name: text(200),
    Nickname: text(200),
    Company: text(200),
    ...addressLines(),
    Phone: described(phone(), 'As typed; matching normalizes it.'),
    AltPhone: phone(),
    PhoneLabel: text(50),
    AltPhoneLabel: text(50),
    Email: text(254),
    Country: text(100),
    LocationID: text(100),
    TerritoryID: text(100),
    LeadSource: text(200),
    Channel: text(200),
    Campaign: text(200),
    Category: described(text(100), "Customer, Lead or one of the account's own categories."),
    ChannelId: id(),
    CampaignId: id(),
    UtmMedium: text(500),
    UtmSource: text(500),
    UtmCampaign: text(500),
    IsCustomer: described(flag(), 'True from the first accepted proposal, completed appointment or invoice.'),
    DigitalTrackingId: text(500),
    ReferredByContactId: nullable(id()),
    OwnerUserId: nullable(id()),
    ReferredByHash: contactHash(),
    ManagedByContactId: nullable(id()),
    AutoOfferCode: text(100),
    FlashMessage: text(1000),
    Unsubscribed: flag(),
    NamedTaxRate: nested(NamedTaxRate),
    // The payment fields are empty unless the request sets ReturnPmtOnFile.
    PmtOnFileKind: text(50),
    PmtOnFileLast4: text(4),
    PmtOnFileExpDate: described(text(10), 'YYYY-MM.'),
    UpdatePaymentOnFileUrl: described(
      text(2048),
      `Page on which the client saves a card, where a payment provider is connected. ${CLIENT_LINK}`,
    ),
    ClientUrl: extension(
      described(
        text(2048),
        `Page with the visits, open proposals and invoices, and papers of the client. ${CLIENT_LINK}`,
      ),
    ),
    BookingUrl: extension(
      described(text(2048), `Page on which this client books a visit, known to the company. ${CLIENT_LINK}`),
    ),
    CreditBalance: extension(
      described(decimal(), 'Paid beyond its invoices: payment/import with Method Credit uses it.'),
    ),
    DoNotText: flag(),
    DoNotEmail: flag(),
    AccountingClass: nested(AccountingClassPostalCodes),
    Notes: many(Note),
    CustomFields: many(CustomField),
    Tags: list(text(100)),
    ContactPictures: many(ContactPicture),
    ContactDocuments: many(ContactDocument),
    OpenInvoices: many(ServiceDocumentLink),
    OpenProposals: many(ServiceDocumentLink),
    IsValid: described(flag(), 'Has a Name or Company, and an e-mail, phone or full address.'),
    HasIdentifyingInfo: described(flag(), 'Has a name, e-mail, phone, address or DigitalTrackingId.'),
  }),
  {
    carriesResult: true,
    computed: [
      'LocationID',
      'UpdatePaymentOnFileUrl',
      'ClientUrl',
      'BookingUrl',
      'CreditBalance',
      'AccountingClass',
      'ContactPictures',
      'ContactDocuments',
      'OpenInvoices',
      'OpenProposals',
      'IsValid',
      'HasIdentifyingInfo',
    ],
  },
);
export type Contact = Output<typeof Contact>;

export const Note = resource('Note', () => ({ Id: id(), Title: text(200), Body: text() }));
export type Note = Output<typeof Note>;

/** Its name is unique in the account; case is ignored. */
export const Tag = resource('Tag', () => ({ Id: id(), Name: text(100) }));
export type Tag = Output<typeof Tag>;

const uploadFields = () => ({
  Note: described(text(2000), 'Becomes Notes of each file.'),
  TagIds: described(text(1000), 'Comma-separated ids of tags that the contact gets.'),
  UploadIds: described(
    list(id(), 20),
    'In the answer: the ids of the files, in order. In a request without files: announced files that were sent.',
  ),
});

/** A file of a request. */
export const UploadFile = resource('UploadFile', () => ({
  Filename: described(text(1000), 'Stored without folders and without characters that hide what it is.'),
  ContentType: described(text(255), 'What the sender takes it for. The content decides.'),
  Content: described(text(6_150_000), 'The file in base64.'),
  Size: described(int32(0), 'Without Content: the bytes of a file that is sent to its address in UploadUrls.'),
}));
export type UploadFile = FieldsInput<ReturnType<typeof UploadFile.shape>>;

/** The fields of contacts/upload and proposal/upload besides the form. */
export const uploadFiles = () => ({ files: described(many(UploadFile, 20), 'Required without UploadIds.') });
/** The form of both operations in the document, with the field that names the owner. */
export const uploadFormDocument = (ownerField: 'ContactId' | 'ProposalId') => ({
  requests: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          ApiKey: { type: 'string', description: 'The key, before the files, if not in the header X-Api-Key.' },
          upload: {
            type: 'object',
            additionalProperties: false,
            description: 'The form as JSON, instead of its fields.',
          },
          [ownerField]: { type: 'integer', format: 'int32' },
          ...(ownerField === 'ContactId' ? { AppointmentId: { type: 'integer', format: 'int32' } } : {}),
          Note: { type: 'string' },
          TagIds: { type: 'string' },
          files: {
            type: 'array',
            items: { type: 'string', contentMediaType: 'application/octet-stream' },
            description: 'Each part with a file name is a file, whatever the name of the part.',
          },
        },
      },
    },
  },
});
export const uploadUrls = () => ({
  UploadUrls: described(
    list(text(4096)),
    'For each file an address that takes it by PUT within an hour; empty where the file came with its Content.',
  ),
});

/** The form fields of contacts/upload. */
export const ContactUpload = resource(
  'ContactUpload',
  () => ({ ContactId: id(), AppointmentId: nullable(id()), ...uploadFields() }),
  { carriesResult: true },
);

/** The form fields of proposal/upload. */
export const ProposalUpload = resource('ProposalUpload', () => ({ ProposalId: id(), ...uploadFields() }), {
  carriesResult: true,
});

/** The search fields that contacts/locate and contacts/addupdate share. */
export const contactSearchFields = () => ({
  NameSearch: described(
    text(200),
    'Words; each must begin a word of Name, Nickname or Company. Case and accents do not count.',
  ),
  PhoneSearch: described(phone(), 'Phone or AltPhone, in any notation.'),
  EmailSearch: described(text(254), 'The whole address; case does not count.'),
  AddressSearch: described(text(200), 'Words; each must begin a word of the street or city, or the zip.'),
  IdSearch: id(),
  DigitalTrackingIdSearch: text(500),
  CreatedFrom: moment(),
  CreatedThrough: through(),
  CategorySearch: text(100),
  TagSearch: described(list(text(100), 20), 'The contact must have all of them.'),
  ReturnPmtOnFile: described(flag(), 'Without it the PmtOnFile fields are empty.'),
  DistributeLead: flag(),
  Skip: int32(0),
  Limit: int32(1, 500),
});

/** The request of contacts/addtags and contacts/removetags. */
export const tagFields = () => ({
  ContactId: required(id()),
  TagList: required(described(many(Tag, 50), 'Tags by Id or Name.')),
});

/** The response of the tag operations: the tags of the contact. */
export const contactTags = () => ({ ContactId: id(), TagList: many(Tag) });
