import { columnName, type NamingConvention } from '../../src/domains/reporting/columns.ts';
import { reportFields } from '../../src/domains/reporting/field-groups.ts';

/**
 * The schema of XML reports: an element for each field of the documents, in their order. With some fields alone it is narrower, and
 * made in no time: that of all takes seconds.
 */
export const reportSchema = (
  convention: NamingConvention,
  holds: (id: string) => boolean = () => true,
): string => `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <xs:element name="Report">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="Requests">
          <xs:complexType>
            <xs:sequence>
              <xs:element name="Request" minOccurs="1" maxOccurs="unbounded">
                <xs:complexType><xs:sequence>
${reportFields
  .filter(({ id }) => holds(id))
  .map(({ id }) => `<xs:element name="${columnName(id, convention)}" type="${typeOf(id)}" minOccurs="0"/>`)
  .join('\n')}
                </xs:sequence></xs:complexType>
              </xs:element>
            </xs:sequence>
          </xs:complexType>
        </xs:element>
      </xs:sequence>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="version" type="xs:decimal" use="required"/>
      <xs:attribute name="merchantId" type="xs:string" use="required"/>
      <xs:attribute name="startTime" type="xs:dateTime" use="required"/>
      <xs:attribute name="endTime" type="xs:dateTime" use="required"/>
    </xs:complexType>
  </xs:element>
</xs:schema>`;

const typeOf = (id: string): string => {
  if (id.endsWith('Amount')) return 'xs:decimal';
  return id === 'Request.TransactionDate' ? 'xs:dateTime' : 'xs:string';
};
