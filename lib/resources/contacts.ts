import { Tag } from '../entities/contact-entries.ts';
import {
  type FieldsInput,
  described,
  flag,
  id,
  int32,
  list,
  many,
  moment,
  nullable,
  phone,
  required,
  resource,
  text,
} from './fields.ts';
import { through } from './queries.ts';

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
