//! Time zones as Ruby's `%z` reads them: offsets, and names that stand for one.

/// Names of zones by offset in seconds, as the reference knows them.
const NAMES: &[(i32, &str)] = &[
    (-43200, "y aoe idlw"),
    (-39600, "x nt nut sst"),
    (-36000, "w ckt hst ahst hast taht"),
    (-32400, "v hdt yst akst gamt hadt"),
    (-30600, "mart"),
    (-28800, "u pst ydt akdt"),
    (-25200, "t mst pdt"),
    (-21600, "s cst mdt east galt"),
    (-18000, "r act cdt cot ect est pet cist"),
    (-14400, "q ast bot clt edt fkt gyt vet"),
    (-10800, "p adt art brt gft srt uyt wgt clst fkst pmst pyst rott"),
    (-9000, "nst"),
    (-7200, "o at fnt brst pmdt uyst wgst"),
    (-5400, "ndt"),
    (-3600, "n cvt egt azot"),
    (0, "z ut wt gmt utc wet egst"),
    (3600, "a bst cet fwt met mez swt wat mewt west"),
    (7200, "b cat eet fle fst gtb cest mest mesz sast wast"),
    (10800, "c bt eat fet idt msk trt arab eest syot"),
    (12600, "iran irst"),
    (14400, "d azt get msd mut ret sct kuyt samt"),
    (16200, "aft irdt"),
    (18000, "e mvt pkt tft tjt tmt uzt aqtt azst mawt orat yekt"),
    (19800, "ist"),
    (20700, "npt"),
    (21600, "f btt iot kgt almt omst qyzt vost"),
    (23400, "cct mmt"),
    (25200, "g cxt ict wib davt hovt krat novt novst"),
    (28800, "h bnt hkt myt pht sgt awst cast chot irkt ulat wadt wita"),
    (32400, "i jst kst pwt tlt wit awdt yakt"),
    (34200, "acst"),
    (36000, "k gst pgt aest chst chut ddut vlat yapt"),
    (37800, "acdt lhst"),
    (39600, "l nct nft sbt vut aedt eadt kost lhdt magt pont sakt sret"),
    (43200, "m fjt mht nrt nzt tvt wft anat fiji gilt idle nfdt nzst pett wakt petst"),
    (45900, "chast"),
    (46800, "tkt tot fjst nzdt phot"),
    (50400, "lint tost"),
];

/// Returns the offset of a zone in seconds east of UTC.
///
/// ```
/// use hierarch_pcore::value::time::offset_of;
///
/// assert_eq!(offset_of("+02:30"), Some(9000));
/// assert_eq!(offset_of("EST"), Some(-18000));
/// assert_eq!(offset_of("Mars"), None);
/// ```
pub fn offset_of(zone: &str) -> Option<i32> {
    let name = zone.to_ascii_lowercase();
    let digits =
        name.strip_prefix("gmt").or_else(|| name.strip_prefix("utc")).filter(|rest| !rest.is_empty());
    if let Some(offset) = numeric(digits.unwrap_or(&name)) {
        return Some(offset);
    }
    match name.strip_suffix(" dst") {
        Some(name) => named(name).map(|offset| offset + 3600),
        None => named(&name),
    }
}

fn named(name: &str) -> Option<i32> {
    NAMES.iter().find(|(_, names)| names.split(' ').any(|known| known == name)).map(|(offset, _)| *offset)
}

/// Reads `+2`, `+02`, `+0230`, `+02:30`, `+02:30:15` or `+2.5`.
fn numeric(text: &str) -> Option<i32> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let text = &text[1..];
    let seconds = if text.contains(':') {
        clock(&text.split(':').collect::<Vec<_>>())
    } else if let Some((hours, fraction)) = text.split_once(['.', ',']) {
        let fraction: f64 = digits(fraction).and_then(|_| format!("0.{fraction}").parse().ok())?;
        Some(digits(hours)? * 3600 + (fraction * 3600.0).round() as i32)
    } else {
        let _ = digits(text)?;
        let padded = if text.len().is_multiple_of(2) { text.to_owned() } else { format!("0{text}") };
        let fields: Vec<&str> =
            (0..padded.len().min(6) / 2).map(|index| &padded[index * 2..index * 2 + 2]).collect();
        clock(&fields)
    };
    seconds.map(|seconds| sign * seconds)
}

fn clock(fields: &[&str]) -> Option<i32> {
    let scales = [3600, 60, 1];
    if fields.len() > scales.len() {
        return None;
    }
    fields.iter().zip(scales).try_fold(0, |total, (field, scale)| Some(total + digits(field)? * scale))
}

fn digits(text: &str) -> Option<i32> {
    (text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_offsets_or_names() {
        for (zone, offset) in [
            ("UTC+2", Some(7200)),
            ("gmt-03:30", Some(-12600)),
            ("+0230", Some(9000)),
            ("+02:30:15", Some(9015)),
            ("+2", Some(7200)),
            ("+2.5", Some(9000)),
            ("-12345", Some(-5025)),
            ("Z", Some(0)),
            ("est dst", Some(-14400)),
            ("CEST", Some(7200)),
            ("", None),
            ("nowhere", None),
        ] {
            assert_eq!(offset_of(zone), offset, "{zone}");
        }
    }
}
