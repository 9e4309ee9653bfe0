import { expect, test } from "bun:test";
import { writtenAnew } from "../../../web/preview/html/written-anew.ts";

const many = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join("");

test("tags are written as they stand, with quotes and without what hides others", () => {
  for (const [html, written] of [
    [`<P title='x"y'>a <!-- </p> -->b<br/>`, '<p title="x&quot;y">a b<br>'],
    ["<!doctype html><a href=x/y>q</a>", '<!DOCTYPE html><a href="x/y">q</a>'],
    ['a<script>"</b>"</script >b', "ab"],
    ["<svg><path d='1'/><style><![CDATA[a>b{}]]></style></svg>", '<svg><path d="1"></path><style>a>b{}</style></svg>'],
    ["<textarea><b></textarea><xmp><b>&amp;</xmp>", "<textarea>&lt;b></textarea><pre>&lt;b>&amp;amp;</pre>"],
    ["<constructor></valueOf>", "<constructor></valueof>"],
    ["1 < 2 <3", "1 &lt; 2 &lt;3"],
    ['<b a"b c>', '<b c="">'],
    ["<style>a<b></style>", "<style>a< b></style>"],
  ] as const)
    expect(writtenAnew(html)).toBe(written);
});

test("what a parser would make too much of is refused, however its ends are hidden", () => {
  const again = many(2000, () => "<p>x");
  for (const piece of [
    (at: number) => `<b c${at}>`,
    (at: number) => `<b c${at}><!--</b>-->`,
    (at: number) => `<b c${at}><i d="</b>">`,
    (at: number) => `<b c${at}><object></b></object>`,
    (at: number) => `<table><b c${at}><td></b></table>`,
    (at: number) => `<svg><p><b c${at}/>`,
    (at: number) => `<select><style></select><b c${at}></style>`,
  ])
    expect([piece(0), writtenAnew(`<p>${many(1000, piece)}${again}`)?.length]).toEqual([piece(0), undefined]);
  for (const piece of ["<div>", "<li><dd>", "<rt>", "<svg><td>", "<svg></p><path/>", "<b></x>"])
    expect([piece, writtenAnew(piece.repeat(5000))?.length]).toEqual([piece, undefined]);
});

test("pages as people write them are taken, those without ends too", () => {
  for (const piece of [
    "<p>x<a href=b>c</a> <b><i>d</b></i>y",
    "<ul><li>x<li>y</ul><dl><dt>x<dd>y</dl>",
    "<table><tr><td>x<td><font size=2>y<tr><td><p>z</td></table>",
    "<svg><g><path d='1'/></g></svg><select><option>a<option>b</select>",
    "<ruby>x<rt>y</ruby>",
    "<div><h2>x</h2><p>y<blockquote><p>z</blockquote></div>",
  ])
    expect([piece, writtenAnew(piece.repeat(2000)) !== undefined]).toEqual([piece, true]);
});

test("nothing is looked through more often than it is long", () => {
  for (const piece of ["<!--", "<![CDATA[", '<a b="', "<script>", "<style></style", "<a x ", "<", "</", "<textarea "])
    writtenAnew(piece.repeat(200_000));
  writtenAnew(`<a x${" ".repeat(2_000_000)}y`);
});
