import { fold } from '../../shared/text/text.ts';

/** What the fields of forms mean, by their names in English and Spanish. */

/** A field of a contact, a part of its name, or the words of the person. */
export type Meaning =
  | 'Name'
  | 'First'
  | 'Middle'
  | 'Last'
  | 'Company'
  | 'Email'
  | 'Phone'
  | 'AltPhone'
  | 'Address1'
  | 'Address2'
  | 'City'
  | 'State'
  | 'Zip'
  | 'Country'
  | 'LeadSource'
  | 'UtmSource'
  | 'UtmMedium'
  | 'UtmCampaign'
  | 'DigitalTrackingId'
  | 'Message';

/** Names of fields without spaces, hyphens and accents, and without the words that MEANINGLESS lists. */
const NAMES: Readonly<Record<Meaning, string>> = {
  Name:
    'name fullname names displayname person contactperson firstandlastname firstlastname ' +
    'namefirstlast nombre nombrecompleto nombres ' +
    'nombreyapellido nombreyapellidos nombreapellido nombreapellidos',
  First: 'first firstname fname givenname forename namefirst primernombre nombredepila',
  Middle: 'middle middlename middleinitial namemiddle segundonombre',
  Last: 'last lastname lname surname familyname namelast apellido apellidos primerapellido',
  Company:
    'company companyname organization organisation organizationname business businessname empresa compania negocio',
  Email:
    'email emailaddress emailadress mail mailaddress workemail personalemail useremail replyto correo ' +
    'correoelectronico direcciondecorreo direcciondecorreoelectronico',
  Phone:
    'phone phonenumber phoneno tel telephone telephonenumber telno mobile mobilephone mobilenumber cell cellphone ' +
    'cellnumber cellphonenumber primaryphone phone1 tel1 homephone dayphone daytimephone callbacknumber whatsapp ' +
    'whatsappnumber workphone textphone telefono numerodetelefono notelefono celular movil ' +
    'telefonomovil telefonocelular ' +
    'numerocelular telefonofijo userphone bestphone bestphonenumber',
  AltPhone:
    'altphone alternatephone alternativephone phone2 secondphone secondaryphone otherphone altphonenumber tel2 ' +
    'eveningphone otrotelefono telefono2 telefonoalternativo',
  Address1:
    'address address1 addressline1 addr addr1 line1 street street1 streetaddress streetaddress1 streetline1 ' +
    'serviceaddress propertyaddress homeaddress mailingaddress jobaddress siteaddress addressstreet address1street ' +
    'direccion direccion1 calle domicilio callenumero calleynumero',
  Address2:
    'address2 addressline2 addr2 line2 street2 streetaddress2 streetline2 unit unitnumber apt ' +
    'aptnumber apartment suite ' +
    'aptsuite aptunit direccion2 piso departamento apartamento colonia',
  City: 'city town cityname addresscity addresslevel2 servicecity ciudad localidad municipio poblacion',
  State: 'state province region stateprovince stateregion provincestate addressstate addresslevel1 estado provincia',
  Zip:
    'zip zipcode postal postalcode postcode zippostal zippostalcode postalzip addresszip servicezip ' +
    'cp codigopostal ' +
    'cpostal zip5',
  Country: 'country countryname countrycode addresscountry pais',
  LeadSource:
    'leadsource howdidyouhearaboutus howdidyouhear howdidyoufindus hearaboutus referralsource ' +
    'comonosconocio comonosconociste',
  UtmSource: 'utmsource',
  UtmMedium: 'utmmedium',
  UtmCampaign: 'utmcampaign',
  DigitalTrackingId: 'digitaltrackingid gclid',
  Message:
    'message messages comments comment notes note description details question questions inquiry enquiry ' +
    'howcanwehelp howcanwehelpyou howmaywehelp whatcanwehelpwith projectdetails projectdescription jobdescription ' +
    'additionalinformation additionalinfo additionalcomments anythingelse textarea request ' +
    'mensaje comentario comentarios consulta pregunta descripcion observaciones detalles comopodemosayudarle',
};

const MEANINGS = new Map(
  Object.entries(NAMES).flatMap(([meaning, names]) =>
    names.split(' ').map((name): [string, Meaning] => [name, meaning as Meaning]),
  ),
);

/** Words around the name proper: `your-email`, `What is your first name?`, `Enter your ZIP code (required)`. */
const MEANINGLESS = new Set(
  (
    'your you my our the a an is are was whats what s s please enter type provide give tell us me of ' +
    'for we at in to and ' +
    'can may reach best contact customer client lead visitor sender billing input wpforms wpcf7 et pb ' +
    'required optional text box here below primary main ' +
    'su tu el la los las de del es cual un una ingrese escriba introduzca por favor cliente contacto ' +
    'obligatorio requerido'
  ).split(' '),
);

/** The folded words of a name: `yourEmail`, `your-email` and `Your E-Mail *` have the same. */
const wordsOfName = (name: string): string[] =>
  fold(name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' '))
    .replaceAll(/\be[ -]mail\b/g, 'email')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The longest name of a field that is understood. */
const MAX_NAME = 80;

/** What a field means; `undefined` if its name is that of no field of a contact. */
export function meaningOf(name: string): Meaning | undefined {
  const words = wordsOfName(name.slice(0, MAX_NAME));
  const exact = MEANINGS.get(words.join(''));
  if (exact) return exact;
  const telling = words.filter((word) => !MEANINGLESS.has(word) && !/^q\d{1,4}$/.test(word));
  // `name-1` and `email_2`: what builders call the second field of a kind.
  const bare = telling.length > 1 && /^\d{1,3}$/.test(telling.at(-1) ?? '') ? telling.slice(0, -1) : telling;
  return MEANINGS.get(telling.join('')) ?? MEANINGS.get(bare.join('')) ?? kindIn(telling);
}

/** Words that name a kind of value wherever they are: `Email of the owner`, `Mobile (WhatsApp)`. */
const KINDS: readonly (readonly [Meaning, ReadonlySet<string>])[] = [
  ['Email', new Set(['email', 'correo'])],
  ['Phone', new Set(['phone', 'telephone', 'mobile', 'cell', 'telefono', 'celular', 'movil', 'whatsapp'])],
  ['Zip', new Set(['zip', 'zipcode', 'postcode', 'postal'])],
];

const kindIn = (words: readonly string[]): Meaning | undefined =>
  KINDS.find(([, named]) => words.some((word) => named.has(word)))?.[0];

/** The kinds of fields that form builders name in `type`. */
const TYPES: ReadonlyMap<string, Meaning> = new Map([
  ['email', 'Email'],
  ['tel', 'Phone'],
  ['phone', 'Phone'],
  ['phonenumber', 'Phone'],
  ['name', 'Name'],
  ['fullname', 'Name'],
  ['firstname', 'First'],
  ['lastname', 'Last'],
  ['textarea', 'Message'],
  ['longtext', 'Message'],
]);

/** What a field means by its type: `phone_number`, `FormTextInput`. */
export const meaningOfType = (type: string): Meaning | undefined =>
  TYPES.get(wordsOfName(type.slice(0, MAX_NAME)).join(''));

/** Whether a name says nothing: the number of a field in a form (`1.3`, `field_7`, `input-2`), or none. */
export const isNumbered = (name: string): boolean =>
  /^(?:(?:field|input|item|question|q|text|f|fields)?[ _.-]?\d{1,6}(?:[._]\d{1,3})?)?$/i.test(name);
