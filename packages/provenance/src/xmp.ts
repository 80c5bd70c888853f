/**
 * An XMP packet that says how the image came to be, in the words of the IPTC Photo Metadata
 * Standard: the mark that software without C2PA reads. The instance id makes each file its own;
 * the C2PA claim takes it over.
 */
export function xmpPacket(digitalSourceType: string, instanceId: string): string {
  return [
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>`,
    `<x:xmpmeta xmlns:x="adobe:ns:meta/">`,
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`,
    `<rdf:Description rdf:about=""`,
    ` xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"`,
    ` xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"`,
    ` Iptc4xmpExt:DigitalSourceType="${digitalSourceType}"`,
    ` xmpMM:InstanceID="${instanceId}"/>`,
    `</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  ].join("");
}
